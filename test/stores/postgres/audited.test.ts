import { describe, expect, it, onTestFinished } from 'vitest';

import { createAccount } from '#server/domain/access/create-account.ts';
import { verifyAudit } from '#server/domain/audit/verify-audit.ts';
import { PostgresMetadata } from '#server/stores/postgres/metadata.ts';
import { PostgresPool } from '#server/stores/postgres/pool.ts';
import { randomIds } from '#server/stores/system/ids.ts';
import { parsedUrl } from '#test/support/postgres/migrated.ts';
import { noPostgres } from '#test/support/postgres/programs.ts';
import { relaxed } from '#test/support/postgres/time-limits.ts';
import { because } from '#test/support/programs.ts';
import { openPostgres } from './open-postgres.ts';

const unexpected = (error: unknown) => expect.unreachable(String(error));

describe.skipIf(noPostgres())(`parallel transactions that add to the audit log${because(noPostgres())}`, () => {
  it('of two stores wait for one another instead of undoing each other', async () => {
    const { metadata: one, url } = await openPostgres();
    // All wait for the last one: on a busy machine longer than a server's limit.
    const other = new PostgresMetadata(new PostgresPool(parsedUrl(url), { timeLimitFactor: relaxed }), {
      onFault: unexpected,
      onMarkedForDeletion: () => {},
    });
    onTestFinished(() => other.close());
    let tries = 0;
    const ids = { ...randomIds, accountId: () => (tries++, randomIds.accountId()) };
    const secrets = { credentialHash: () => Buffer.from(randomIds.opaqueId()), keyNumber: 0 };
    const create = (metadata: PostgresMetadata) =>
      createAccount({ metadata, ids, secrets } as unknown as Parameters<typeof createAccount>[0], {
        name: 'many',
        plan: 'pro',
      });
    const startedAt = performance.now();
    const made = await Promise.all(Array.from({ length: 100 }, (_, at) => create(at % 2 === 0 ? one : other)));
    console.log(`100 accounts in ${(performance.now() - startedAt).toFixed(0)} ms`);
    expect(new Set(made.map(({ accountId }) => accountId)).size).toBe(100);
    // Work may begin before its turn, and then once more. Transactions that undo each other try five times as often.
    expect(tries).toBeLessThanOrEqual(200);
    const { problems, entries } = await verifyAudit({ metadata: other });
    expect([problems, entries]).toEqual([[], 200]);
  });
});
