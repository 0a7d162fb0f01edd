import { describe, expect, it } from 'vitest';

import { createKey } from '#server/domain/access/create-key.ts';
import { revokeKey } from '#server/domain/access/revoke-key.ts';
import { verifyAudit } from '#server/domain/audit/verify-audit.ts';
import { openSqliteStores, type SqliteStores } from '#test/support/stores.ts';

/** Makes a log of four entries. */
async function writtenLog(): Promise<SqliteStores> {
  const stores = await openSqliteStores();
  const { id: accountId } = await stores.account();
  for (const name of ['first', 'second']) {
    const { key } = await createKey(stores, { accountId, name, scopes: ['*'] });
    await revokeKey(stores, key.id);
  }
  return stores;
}

/** Changes the log behind the server's back. */
function tamper({ connections }: SqliteStores, sql: string): void {
  connections.writer.exec(sql);
}

describe('verifyAudit()', () => {
  it('finds nothing in a log that nobody touched, and names its end', async () => {
    const stores = await writtenLog();
    const { head, ...verdict } = await verifyAudit(stores);
    expect(verdict).toEqual({ entries: 4, problems: [] });
    expect(head).toEqual(await stores.metadata.read.audit.head());
  });

  it('finds nothing in an empty log', async () => {
    expect(await verifyAudit(await openSqliteStores())).toMatchObject({ entries: 0, problems: [] });
  });

  it.each([
    [
      'a changed detail',
      `UPDATE audit_log SET details = '{"name":"other"}' WHERE sequence = 2`,
      'Entry 2 was changed.',
    ],
    ['a changed actor', "UPDATE audit_log SET actor = 'api_key' WHERE sequence = 4", 'Entry 4 was changed.'],
    ['a changed time', 'UPDATE audit_log SET at = at + 1 WHERE sequence = 1', 'Entry 1 was changed.'],
    ['a removed entry', 'DELETE FROM audit_log WHERE sequence = 2', 'Entry 2 is missing.'],
    ['removed entries', 'DELETE FROM audit_log WHERE sequence < 3', 'Entries 1 to 2 are missing.'],
    [
      'a removed last entry',
      'DELETE FROM audit_log WHERE sequence = 4',
      'The log ends with entry 3, but 4 were written: the last ones are missing.',
    ],
    [
      'two entries that changed places',
      `UPDATE audit_log SET sequence = 99 WHERE sequence = 2; UPDATE audit_log SET sequence = 2 WHERE sequence = 3;
       UPDATE audit_log SET sequence = 3 WHERE sequence = 99`,
      'Entry 2 does not follow entry 1: one of them was replaced or moved.',
    ],
    [
      'an added entry',
      `INSERT INTO audit_log SELECT 5, at, action, actor, actor_id, address, account_id, subject, details, hash, hash
       FROM audit_log WHERE sequence = 4`,
      'Entry 5 was changed.',
    ],
  ])('finds %s', async (_what, sql, problem) => {
    const stores = await writtenLog();
    tamper(stores, sql);
    expect((await verifyAudit(stores)).problems).toContain(problem);
  });

  it('finds a log that was written anew, if an earlier end is expected', async () => {
    const [stores, other] = [await writtenLog(), await writtenLog()];
    const { head } = await verifyAudit(stores);
    expect((await verifyAudit(stores, head)).problems).toEqual([]);
    expect((await verifyAudit(other)).problems).toEqual([]);
    expect((await verifyAudit(other, head)).problems).toEqual(['Entry 4 with the expected hash is not in the log.']);
  });
});
