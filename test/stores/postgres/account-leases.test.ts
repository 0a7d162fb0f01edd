import { describe, expect, it } from 'vitest';

import { stateDatabase } from '#server/stores/postgres/state/database.ts';
import { PostgresAccountLeases } from '#server/stores/postgres/state/account-leases.ts';
import { noPostgres } from '#test/support/postgres/programs.ts';
import { because } from '#test/support/programs.ts';
import { openPostgres } from './open-postgres.ts';

const farAway = Number.MAX_SAFE_INTEGER;

async function openLeases() {
  const { metadata, pool } = await openPostgres();
  const database = stateDatabase(pool);
  await database.run(`INSERT INTO replicas VALUES ('a', ${farAway}, 1), ('b', ${farAway}, 1)`, []);
  return {
    metadata,
    database,
    a: new PostgresAccountLeases(database, () => 'a'),
    b: new PostgresAccountLeases(database, () => 'b'),
    endLeaseOf: (id: string) => database.run('UPDATE replicas SET leased_until = 0 WHERE replica_id = $1', [id]),
  };
}

const idsOf = (leases: ReadonlyArray<{ readonly accountId: string }>) => leases.map(({ accountId }) => accountId);

describe.skipIf(noPostgres())(`PostgresAccountLeases${because(noPostgres())}`, () => {
  it('gives each account of a job to one process of many that ask at once, in any order', async () => {
    const { a, b } = await openLeases();
    const accounts = Array.from({ length: 50 }, (_, at) => `acct_${at}`);
    for (const job of ['one', 'two']) {
      const taken = await Promise.all([a.take(job, accounts), b.take(job, accounts.toReversed())]);
      expect(taken.flatMap(idsOf).toSorted(), job).toEqual(accounts.toSorted());
    }
  });

  it('gives an account again when it was given back', async () => {
    const { a, b, database } = await openLeases();
    const leases = await a.take('one', ['x', 'y']);
    expect(idsOf(await b.take('one', ['x', 'y', 'z']))).toEqual(['z']);
    await a.end(leases);
    expect(idsOf(await b.take('one', ['x', 'y'])).toSorted()).toEqual(['x', 'y']);
    await a.end(leases);
    expect(await database.run('SELECT leased_id FROM account_leases ORDER BY 1', [])).toEqual([['x'], ['y'], ['z']]);
  });

  it('gives the account of a process whose lease ended to another one, and refuses what the first one writes', async () => {
    const { a, b, metadata, endLeaseOf } = await openLeases();
    const [lost] = await a.take('one', ['x']);
    const write = (lease: NonNullable<typeof lost>, noticedAt: number) =>
      metadata.atomically((tx) => tx.clockJump.save({ noticedAt, byMs: 1 }), { lease });
    await write(lost!, 1);
    await endLeaseOf('a');
    const [taken] = await b.take('one', ['x']);
    await expect(write(lost!, 2)).rejects.toMatchObject({ name: 'JobLeaseLost' });
    await a.end([lost!]);
    await write(taken!, 3);
    expect(await metadata.read.clockJump.find()).toEqual({ noticedAt: 3, byMs: 1 });
  });

  it('leaves out accounts that another run of the job in the same process has', async () => {
    const { a, b, metadata } = await openLeases();
    const first = await a.take('one', ['x', 'y']);
    const second = await a.take('one', ['x', 'z']);
    expect(idsOf(second)).toEqual(['z']);
    expect(idsOf(await a.take('two', ['x']))).toEqual(['x']);
    await a.end(second);
    await metadata.atomically((tx) => tx.clockJump.save({ noticedAt: 1, byMs: 1 }), { lease: first[0]! });
    expect(idsOf(await b.take('one', ['x', 'z']))).toEqual(['z']);
    await a.end(first);
    expect(idsOf(await a.take('one', ['x', 'y', 'z']))).toEqual(['x', 'y']);
  });

  it('waits neither for a write under the lease of an account nor for one of a process that is gone', async () => {
    const { a, b, database, endLeaseOf } = await openLeases();
    await a.take('one', ['x']);
    await database.transaction(async (run) => {
      await run('SELECT 1 FROM account_leases FOR SHARE', []);
      expect(idsOf(await b.take('one', ['w', 'x', 'y']))).toEqual(['w', 'y']);
      await endLeaseOf('a');
      expect(await b.take('one', ['x'])).toEqual([]);
    });
    expect(idsOf(await b.take('one', ['x']))).toEqual(['x']);
  });

  it('gives accounts back with the next taking when the database failed at the end', async () => {
    const { b, database } = await openLeases();
    let fails = true;
    const post: typeof database.post = (...statement) =>
      fails ? Promise.reject(new Lost()) : database.post(...statement);
    const a = new PostgresAccountLeases({ ...database, post }, () => 'a');
    await a.end(await a.take('one', ['x', 'y']));
    expect(await b.take('one', ['x', 'y'])).toEqual([]);
    await expect(a.take('one', ['x'])).rejects.toThrow(Lost);
    fails = false;
    expect(idsOf(await a.take('one', ['x']))).toEqual(['x']);
    expect(idsOf(await b.take('one', ['x', 'y']))).toEqual(['y']);
  });

  it('gives accounts back with the next taking when nobody knows whether they were taken', async () => {
    const { b, database } = await openLeases();
    let fails = true;
    const run = async (...statement: Parameters<typeof database.run>) => {
      const rows = await database.run<never>(...statement);
      if (fails) throw new Lost();
      return rows;
    };
    const a = new PostgresAccountLeases({ ...database, run }, () => 'a');
    await expect(a.take('one', ['x', 'y'])).rejects.toThrow(Lost);
    fails = false;
    expect(idsOf(await a.take('one', ['y']))).toEqual(['y']);
    expect(idsOf(await b.take('one', ['x', 'y']))).toEqual(['x']);
  });

  it('asks nothing of the database for no account', async () => {
    const { database } = await openLeases();
    const none = new PostgresAccountLeases({ ...database, run: never, post: never }, () => 'a');
    expect(await none.take('one', [])).toEqual([]);
    await none.end([]);
  });
});

class Lost extends Error {}

function never(): never {
  throw new Error('A statement was sent.');
}
