import { describe, expect, it } from 'vitest';

import type { TrashedObject } from '#server/features/files/trash-table.ts';
import { accountId, content, object, otherId } from './rows.ts';
import type { StoreInTest } from './store-in-test.ts';

const trashed = (change: Partial<TrashedObject> = {}): TrashedObject => ({
  ...object,
  deletedAt: 2000,
  purgeAt: 3000,
  ruleUntil: 3000,
  requestedUntil: 2500,
  reason: 'deleted',
  deletingJobId: 'job_1',
  ...change,
});

/** The table of deleted and replaced files. */
export function trashConformance(store: StoreInTest): void {
  const { name, write } = store;
  const add = (...versions: readonly TrashedObject[]) =>
    write(async (tx) => {
      for (const version of versions) {
        const contentId = `content-${version.accountId}-${version.versionId}`;
        await tx.contents.add(content(contentId));
        await tx.trash.add({ ...version, contentId });
      }
    });

  describe(`${name}: trash`, () => {
    it('returns a version with all its fields, and counts it in its account', async () => {
      const contentId = `content-${accountId}-version-1`;
      await add(trashed());
      const found = await store.metadata.read.trash.find(accountId, 'version-1');
      expect(found).toEqual(trashed({ contentId }));
      expect(await store.metadata.read.accounts.usageOf(accountId, 0)).toMatchObject({
        trashBytes: 3,
        trashObjects: 1,
      });
      expect(await store.metadata.read.trash.find(otherId, 'version-1')).toBeUndefined();
      expect(await write((tx) => tx.trash.remove(accountId, 'version-1'))).toEqual(trashed({ contentId }));
      expect(await write((tx) => tx.trash.remove(accountId, 'version-1'))).toBeUndefined();
      expect(await store.metadata.read.accounts.usageOf(accountId, 0)).toMatchObject({
        trashBytes: 0,
        trashObjects: 0,
      });
    });

    it('lists by key in byte order, and the versions of a key newest first, from any place', async () => {
      const at = (key: string, versionId: string) => trashed({ key, versionId });
      await add(at('b', 'v1'), at('a/\uffff', 'v2'), at('a/\u{10000}', 'v3'), at('a/x', 'v4'), at('a/x', 'v6'));
      await add(at('a/x', 'v5'), trashed({ accountId: otherId, key: 'a/x' }), trashed({ space: 'private' }));
      const scan = async (prefix: string, behind?: { key: string; versionId: string }) =>
        (await store.metadata.read.trash.scan({ accountId, space: 'public', prefix, behind, limit: 10 })).map(
          ({ versionId }) => versionId,
        );
      expect(await scan('')).toEqual(['v6', 'v5', 'v4', 'v2', 'v3', 'v1']);
      expect(await scan('a/')).toEqual(['v6', 'v5', 'v4', 'v2', 'v3']);
      expect(await scan('', { key: 'a/x', versionId: 'v5' })).toEqual(['v4', 'v2', 'v3', 'v1']);
      expect(await scan('', { key: 'a/x', versionId: '' })).toEqual(['v2', 'v3', 'v1']);
      expect(await scan('b', { key: 'a/x', versionId: 'v5' })).toEqual(['v1']);
      expect((await store.metadata.read.trash.newest({ accountId, space: 'public', key: 'a/x' }))?.versionId).toBe(
        'v6',
      );
    });

    it('finds the versions of a key beyond a number, without those that no rule keeps', async () => {
      const at = (versionId: string, change: Partial<TrashedObject> = {}) =>
        trashed({ key: 'a', versionId, ...change });
      await add(
        at('v1'),
        at('v2'),
        at('v3', { ruleUntil: 100 }),
        at('v0', { ruleUntil: null }),
        at('v4'),
        at('v5', { space: 'private' }),
      );
      await add(at('v6', { key: 'b' }), at('v7', { accountId: otherId }));
      const beyond = async (kept: number, limit = 9) =>
        (await write((tx) => tx.trash.beyond({ accountId, space: 'public', key: 'a' }, kept, 100, limit))).map(
          ({ versionId }) => versionId,
        );
      expect([await beyond(0), await beyond(1), await beyond(1, 1), await beyond(3)]).toEqual([
        ['v1', 'v2', 'v4'],
        ['v1', 'v2'],
        ['v1'],
        [],
      ]);
    });

    it('ends the keeping by a rule, and the request that deleted the version keeps it on', async () => {
      await add(trashed());
      await write((tx) => tx.trash.endRule(accountId, 'version-1'));
      expect(await store.metadata.read.trash.find(accountId, 'version-1')).toMatchObject({
        ...{ ruleUntil: null, requestedUntil: 2500, purgeAt: 2500 },
      });
    });

    it('finds what only requests keep, the first deleted first, from any place', async () => {
      const at = (versionId: string, deletedAt: number, change: Partial<TrashedObject> = {}) =>
        trashed({ versionId, deletedAt, ruleUntil: null, ...change });
      await add(at('v5', 10), at('v1', 30), at('v2', 20, { ruleUntil: 100 }), at('v3', 20, { ruleUntil: 101 }));
      await add(
        at('v4', 20, { requestedUntil: null, ruleUntil: 3000 }),
        at('v6', 20),
        at('v7', 20, { accountId: otherId }),
      );
      const yielding = async (behind?: { deletedAt: number; versionId: string }, limit = 9) =>
        (await store.metadata.read.trash.yielding({ accountId, now: 100, behind, limit })).map(
          ({ versionId }) => versionId,
        );
      expect(await yielding()).toEqual(['v5', 'v2', 'v6', 'v1']);
      expect(await yielding({ deletedAt: 20, versionId: 'v2' })).toEqual(['v6', 'v1']);
      expect(await yielding({ deletedAt: 10, versionId: 'v5' }, 1)).toEqual(['v2']);
    });

    it('finds what is due, the earliest first', async () => {
      await add(trashed({ versionId: 'v1', purgeAt: 30 }), trashed({ versionId: 'v2', purgeAt: 10 }));
      await add(
        trashed({ accountId: otherId, versionId: 'v3', purgeAt: 20 }),
        trashed({ versionId: 'v4', purgeAt: 31 }),
      );
      const due = (await store.metadata.read.trash.due(30, 10)).map(({ versionId }) => versionId);
      expect(due).toEqual(['v2', 'v3', 'v1']);
      expect(await store.metadata.read.trash.due(30, 1)).toEqual([{ accountId, versionId: 'v2' }]);
      expect(await store.metadata.read.trash.someOf(otherId, 10)).toEqual([{ accountId: otherId, versionId: 'v3' }]);
    });

    it('keeps its contents from being removed as unused, and gets their SHA-256', async () => {
      await add(trashed({ sha256: null }));
      const contentId = `content-${accountId}-version-1`;
      expect(await store.metadata.read.storeCheck.unusedContents()).toEqual([]);
      await write((tx) => tx.storeCheck.removeUnused(contentId));
      await write((tx) => tx.objects.setSha256(contentId, 'e'.repeat(64)));
      expect(await store.metadata.read.contents.find(contentId)).toBeDefined();
      expect((await store.metadata.read.trash.find(accountId, 'version-1'))?.sha256).toBe('e'.repeat(64));
      expect(await store.metadata.read.storeCheck.hashed('', 10)).toMatchObject([
        { contentId, sha256: 'e'.repeat(64) },
      ]);
      await expect(write((tx) => tx.contents.release(contentId))).rejects.toThrow();
    });
  });
}
