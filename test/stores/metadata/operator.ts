import { describe, expect, it } from 'vitest';

import type { OperatorKey } from '#server/domain/operator/operator-key.ts';
import { accountId, otherId } from './rows.ts';
import type { StoreInTest } from './store-in-test.ts';

const key = (id: string, createdAt: number): OperatorKey => ({
  id,
  name: 'Dashboard ☁',
  createdAt,
  lastUsedAt: null,
  expiresAt: 99,
  revokedAt: null,
  last4: 'abcd',
});

/** The tables of the operator's door: its keys, the last runs of jobs and the settings of the last start. */
export function operatorConformance(store: StoreInTest): void {
  const { name, write } = store;

  describe(`${name}: operator keys`, () => {
    it('are found by their hash and id, listed oldest first, and revoked once', async () => {
      const { operatorKeys } = store.metadata.read;
      const hash = Buffer.alloc(32, 7);
      await write((tx) => tx.operatorKeys.add(key('b', 2), hash));
      await write((tx) => tx.operatorKeys.add(key('a', 1), Buffer.alloc(32, 8)));
      expect(await operatorKeys.findByHash(hash)).toEqual(key('b', 2));
      expect(await operatorKeys.findByHash(Buffer.alloc(32))).toBeUndefined();
      expect(await operatorKeys.list()).toEqual([key('a', 1), key('b', 2)]);
      await expect(write((tx) => tx.operatorKeys.add(key('c', 3), hash))).rejects.toThrow();
      await write(async (tx) => (await tx.operatorKeys.revoke('b', 5), tx.operatorKeys.noteUse('b', 6)));
      await write((tx) => tx.operatorKeys.revoke('b', 9));
      expect(await operatorKeys.find('b')).toEqual({ ...key('b', 2), revokedAt: 5, lastUsedAt: 6 });
    });
  });

  describe(`${name}: runs of jobs`, () => {
    it('keep the last run of each job', async () => {
      const run = { job: 'reap-blobs', startedAt: 5, durationMs: 3, count: 2 };
      await write((tx) => tx.jobRuns.put(run));
      await write((tx) => tx.jobRuns.put({ ...run, job: 'hash-contents', count: null }));
      await write((tx) => tx.jobRuns.put({ ...run, startedAt: 9 }));
      expect(await store.metadata.read.jobRuns.list()).toEqual([
        { ...run, job: 'hash-contents', count: null },
        { ...run, startedAt: 9 },
      ]);
    });
  });

  describe(`${name}: settings of the last start`, () => {
    it('are none at first, and replaced by each start', async () => {
      const { startedSettings } = store.metadata.read;
      expect(await startedSettings.find()).toBeUndefined();
      await write((tx) => tx.startedSettings.save({ CUBBY_LOG: 'info' }));
      await write((tx) => tx.startedSettings.save({ CUBBY_LOG: 'warn', CUBBY_HOST: null }));
      expect(await startedSettings.find()).toEqual({ CUBBY_LOG: 'warn', CUBBY_HOST: null });
    });
  });

  describe(`${name}: all accounts`, () => {
    it('are returned page by page, and by a part of the name or the beginning of the id', async () => {
      const { accounts } = store.metadata.read;
      const ids = async (scan: Parameters<typeof accounts.page>[0]) => (await accounts.page(scan)).map(({ id }) => id);
      // The other one is older.
      expect(await ids({ limit: 1 })).toEqual([otherId]);
      expect(await ids({ limit: 5, after: { createdAt: 1000, id: otherId } })).toEqual([accountId]);
      expect(await ids({ limit: 5, search: 'SECO' })).toEqual([otherId]);
      expect(await ids({ limit: 5, search: accountId.slice(0, 17) })).toContain(accountId);
      expect(await ids({ limit: 5, search: accountId.slice(1) })).toEqual([]);
      for (const pattern of ['%', '_', 'f%t', '\\']) expect(await ids({ limit: 5, search: pattern })).toEqual([]);
    });

    it('are closed while they are suspended or deleted', async () => {
      const { accounts } = store.metadata.read;
      expect(await accounts.isClosed(accountId)).toBe(false);
      await write((tx) => tx.accounts.setSuspended(accountId, 7));
      expect(await accounts.find(accountId)).toMatchObject({ suspendedAt: 7, deletedAt: null });
      expect([await accounts.isClosed(accountId), await accounts.isClosed(otherId)]).toEqual([true, false]);
      await write((tx) => tx.accounts.setSuspended(accountId, null));
      await write((tx) => tx.accounts.setDeleted(accountId, 8));
      expect(await accounts.isClosed(accountId)).toBe(true);
      expect(await accounts.isClosed('nobody')).toBe(true);
      expect(await accounts.deletedBefore(7, 5)).toEqual([]);
      expect((await accounts.deletedBefore(8, 5)).map(({ id }) => id)).toEqual([accountId]);
    });
  });
}
