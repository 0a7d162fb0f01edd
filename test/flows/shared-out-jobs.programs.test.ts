import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { dayMs } from '#server/domain/day.ts';
import { knownVersion } from '#server/stores/postgres/migrations.ts';
import { storeAll } from '#test/features/files/stored.ts';
import { expectOrder } from '#test/scale/stored-state.ts';
import { noPostgres } from '#test/support/postgres/programs.ts';
import { because } from '#test/support/programs.ts';
import { changePostgres, postgresRows } from '#test/support/stored.ts';
import { startTwoServers, type TwoServers } from '#test/support/two-servers.ts';

const files = 20;

/** Jobs that two servers share out between them, account by account. */
describe.skipIf(noPostgres())(`jobs by account on two servers${because(noPostgres())}`, () => {
  let pair: TwoServers;
  beforeAll(async () => void (pair = await startTwoServers()));
  afterAll(() => pair.stop());

  /** Adds accounts, each with some files. */
  async function accountsWithFiles(count: number, expiresAt: (file: number) => number | null): Promise<string[]> {
    const accounts = await Promise.all(Array.from({ length: count }, async () => (await pair.account()).id));
    await storeAll(
      pair.servers[0].app.stores,
      accounts.flatMap((accountId) =>
        Array.from({ length: files }, (_, at) => ({ accountId, key: `k${at}`, expiresAt: expiresAt(at) })),
      ),
    );
    return accounts;
  }
  const accountsWithExpired = (count: number) => accountsWithFiles(count, (file) => 1000 * file);
  const runBoth = () => Promise.all(pair.servers.map(({ app }) => app.jobs.runNow()));
  /** What each run of a job has done, of those that have done something. */
  const countsOf = (job: string) =>
    pair.log.filter((line) => line.job === job && 'count' in line).map(({ count }) => count as number);
  /**
   * Runs the jobs on both servers. The one that takes `accountId` first waits there, until the other one has done its
   * part of the job.
   */
  async function runBothOn(job: string, accountId: string): Promise<void> {
    const before = countsOf(job).length;
    const { both } = await pair.servers[0].app.stores.shared!.database.transaction(async (run) => {
      await run('SELECT 1 FROM accounts WHERE account_id = $1 FOR UPDATE', [accountId]);
      const both = runBoth();
      const isOneDone = async () => (await run('SELECT 1', [])) && countsOf(job).length > before;
      await expect.poll(isOneDone, { timeout: 15_000 }).toBe(true);
      return { both };
    });
    await both;
  }
  const sum = (counts: readonly number[]) => counts.reduce((total, count) => total + count, 0);
  async function rowsOf(sql: string): Promise<Array<Record<string, unknown>>> {
    const rows = await postgresRows(pair.databaseUrl);
    return rows.all(sql).finally(() => rows.close());
  }
  const quoted = (ids: readonly string[]) => ids.map((id) => `'${id}'`).join(', ');
  const countOf = async (table: string, ids: readonly string[], where = 'TRUE') =>
    Number(
      (await rowsOf(`SELECT count(*) AS n FROM ${table} WHERE account_id IN (${quoted(ids)}) AND ${where}`))[0]!.n,
    );
  const withoutFaults = async () => {
    await expectOrder(pair.databaseUrl, pair.blobs);
    expect(await rowsOf('SELECT * FROM account_leases')).toEqual([]);
    expect(pair.log.filter(({ level }) => level === 'error' || level === 'fatal')).toEqual([]);
  };

  it('both delete expired files, each file once, with its activity, its event and its quota', async () => {
    const accounts = await accountsWithExpired(40);
    const before = countsOf('delete-expired');
    await runBothOn('delete-expired', accounts[0]!);
    const counts = countsOf('delete-expired').slice(before.length);
    expect(counts).toHaveLength(2);
    expect(sum(counts)).toBe(40 * files);
    expect(await countOf('objects', accounts)).toBe(0);
    expect(await countOf('activity', accounts, "type = 'object.deleted' AND auth = 'system'")).toBe(40 * files);
    expect(await countOf('accounts', accounts, 'used_bytes = 0 AND used_objects = 0')).toBe(40);
    await withoutFaults();
  });

  it('both remove accounts, each account once', async () => {
    const accounts = await accountsWithFiles(12, () => null);
    const before = countsOf('remove-accounts');
    const deletedAt = Date.now() - 8 * dayMs;
    await changePostgres(
      pair.databaseUrl,
      `UPDATE accounts SET deleted_at = ${deletedAt} WHERE account_id IN (${quoted(accounts)});
       UPDATE accounts SET deleted_at = ${deletedAt - 1} WHERE account_id = '${accounts[0]}'`,
    );
    await runBothOn('remove-accounts', accounts[0]!);
    const counts = countsOf('remove-accounts').slice(before.length);
    expect(counts).toHaveLength(2);
    expect(sum(counts)).toBe(12);
    expect(await countOf('accounts', accounts)).toBe(0);
    expect(await countOf('audit_log', accounts, "action = 'account.removed'")).toBe(12);
    await withoutFaults();
  });

  it('leave accounts to a third server until its lease ends, then take them over without a run of the schedule', async () => {
    const [taken, free] = (await accountsWithExpired(2)) as [string, string];
    await changePostgres(
      pair.databaseUrl,
      `INSERT INTO replicas (replica_id, leased_until, version)
         VALUES ('killed', ${Number.MAX_SAFE_INTEGER}, ${knownVersion()});
       INSERT INTO account_leases (job, leased_id, owner) VALUES ('delete-expired', '${taken}', 'killed')`,
    );
    await runBoth();
    expect([await countOf('objects', [taken]), await countOf('objects', [free])]).toEqual([files, 0]);
    await changePostgres(pair.databaseUrl, "UPDATE replicas SET leased_until = 0 WHERE replica_id = 'killed'");
    await expect.poll(() => countOf('objects', [taken]), { timeout: 10_000 }).toBe(0);
    expect(await countOf('activity', [taken], "type = 'object.deleted'")).toBe(files);
    await withoutFaults();
  });
});
