import { describe, expect, it } from 'vitest';

import { serverActor, type AuditRecord } from '#server/domain/audit/audit-entry.ts';
import { hashOf, startOfChain } from '#server/domain/audit/chain.ts';
import { recordAudit } from '#server/domain/audit/record-audit.ts';
import { accountId } from './rows.ts';
import type { StoreInTest } from './store-in-test.ts';

const record = (subject: string | null): AuditRecord => ({
  action: 'key.created',
  by: { kind: 'api_key', id: 'key', address: '192.0.2.1' },
  accountId,
  subject,
  details: { name: 'Büro ☁', scopes: ['*'] },
});

/** The audit log. */
export function auditConformance(store: StoreInTest): void {
  const { name, write } = store;

  describe(`${name}: the audit log`, () => {
    it('begins empty, and returns each entry unchanged and behind the last one', async () => {
      const { audit } = store.metadata.read;
      expect(await audit.head()).toEqual(startOfChain);
      await write((tx) => recordAudit(tx, record('one')));
      await write((tx) => recordAudit(tx, { ...record(null), by: serverActor, accountId: null, details: {} }));
      const entries = await audit.scan({ after: 0, limit: 10 });
      expect(entries).toEqual([
        {
          ...record('one'),
          sequence: 1,
          at: expect.any(Number),
          previousHash: startOfChain.hash,
          hash: expect.any(String),
        },
        {
          ...record(null),
          by: serverActor,
          accountId: null,
          details: {},
          sequence: 2,
          at: expect.any(Number),
          previousHash: entries[0]!.hash,
          hash: expect.any(String),
        },
      ]);
      for (const { hash, ...entry } of entries) expect(hash).toBe(hashOf(entry));
      expect(await audit.head()).toEqual({ sequence: 2, hash: entries[1]!.hash });
    });

    it('is read in steps, and from an instant on', async () => {
      for (const subject of ['a', 'b', 'c']) await write((tx) => recordAudit(tx, record(subject)));
      const { audit } = store.metadata.read;
      const subjects = async (scan: Parameters<typeof audit.scan>[0]) =>
        (await audit.scan(scan)).map(({ subject }) => subject);
      expect(await subjects({ after: 0, limit: 2 })).toEqual(['a', 'b']);
      expect(await subjects({ after: 2, limit: 2 })).toEqual(['c']);
      expect(await subjects({ after: 0, since: Number.MAX_SAFE_INTEGER, limit: 2 })).toEqual([]);
    });

    it('loses the entry of a transaction that fails, and no place in the chain', async () => {
      const failed = write(async (tx) => {
        await recordAudit(tx, record('lost'));
        throw new Error('undone');
      });
      await expect(failed).rejects.toThrow('undone');
      await write((tx) => recordAudit(tx, record('kept')));
      expect(await store.metadata.read.audit.scan({ after: 0, limit: 2 })).toMatchObject([
        { sequence: 1, subject: 'kept', previousHash: startOfChain.hash },
      ]);
    });

    it('is one chain, even when many write at once', async () => {
      await Promise.all(Array.from({ length: 20 }, (_, at) => write((tx) => recordAudit(tx, record(String(at))))));
      const entries = await store.metadata.read.audit.scan({ after: 0, limit: 30 });
      expect(entries).toHaveLength(20);
      for (const [at, { previousHash }] of entries.entries())
        expect(previousHash).toBe(at === 0 ? startOfChain.hash : entries[at - 1]!.hash);
    });
  });
}
