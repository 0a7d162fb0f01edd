import { describe, expect, it, onTestFinished } from 'vitest';

import { MetadataUnavailable } from '#server/domain/ports/metadata.ts';
import { knownVersion } from '#server/stores/postgres/migrations.ts';
import { stateDatabase, type StateDatabase } from '#server/stores/postgres/state/database.ts';
import { Replica } from '#server/stores/postgres/state/replica.ts';
import { PostgresRateLimits } from '#server/stores/postgres/state/rate-limits.ts';
import { noPostgres } from '#test/support/postgres/programs.ts';
import { because } from '#test/support/programs.ts';
import { openPostgres } from './open-postgres.ts';

const openDatabase = async (): Promise<StateDatabase> => stateDatabase((await openPostgres()).pool);

/** A replica whose connection can be cut. */
async function join(database: StateDatabase, givenBack: string[] = []) {
  const line = { isCut: false };
  const cut: StateDatabase = {
    ...database,
    run: (sql, values) =>
      line.isCut ? Promise.reject(new MetadataUnavailable('cut', undefined)) : database.run(sql, values),
  };
  const replica = await Replica.join(cut, {
    version: knownVersion(),
    leaseMs: 1_000,
    renewEveryMs: 100,
    onTime: () => {},
    giveBack: async (id) => void givenBack.push(id),
    onFault: (error) => {
      if (!(error instanceof MetadataUnavailable)) throw error;
    },
    onOutdated: (error) => {
      throw error;
    },
  });
  onTestFinished(() => replica.leave());
  return { replica, line };
}

const rows = async (database: StateDatabase) =>
  (await database.run<readonly [string]>("SELECT replica_id FROM replicas WHERE replica_id <> ''", [])).map(
    ([id]) => id,
  );

describe.skipIf(noPostgres())(`Replica${because(noPostgres())}`, () => {
  it('stays live while it reaches the database, and tells its time', async () => {
    const database = await openDatabase();
    const { replica } = await join(database);
    const { id } = replica;
    await new Promise((resolve) => setTimeout(resolve, 1_500));
    expect([replica.isLive, replica.id]).toEqual([true, id]);
    expect(await rows(database)).toEqual([id]);
  });

  it('fences itself before its lease ends, and comes back under another name', async () => {
    const database = await openDatabase();
    const { replica, line } = await join(database);
    const { id } = replica;
    line.isCut = true;
    await expect.poll(() => replica.isLive).toBe(false);
    const [ended] = await database.run(
      'SELECT leased_until < extract(epoch FROM clock_timestamp()) * 1000 FROM replicas ORDER BY leased_until LIMIT 1',
      [],
    );
    expect(ended, 'whether its lease has ended').toEqual([0]);
    expect(() => replica.requireLive()).toThrow(MetadataUnavailable);
    await new Promise((resolve) => setTimeout(resolve, 700));
    line.isCut = false;
    await expect.poll(() => replica.isLive).toBe(true);
    expect(replica.id).not.toBe(id);
  });

  it('gives back what belonged to another one whose lease has ended, with its slots', async () => {
    const database = await openDatabase();
    const givenBack: string[] = [];
    const other = await join(database);
    const { replica } = await join(database, givenBack);
    const admission = {
      mine: new PostgresRateLimits(database, () => replica.id),
      of: new PostgresRateLimits(database, () => other.replica.id),
    };
    const acquire = async (by: PostgresRateLimits, id: string): Promise<boolean> =>
      (await by.admit([], { slot: { key: 'uploads', id }, limit: 3 }, Date.now())).hasSlot;
    for (const id of ['1', '2']) await acquire(admission.of, id);
    await acquire(admission.mine, '3');
    const { id } = other.replica;
    other.line.isCut = true;
    await expect.poll(async () => (await rows(database)).includes(id)).toBe(false);
    expect(givenBack).toEqual([id]);
    expect(replica.isLive).toBe(true);
    const outcomes = [];
    for (const one of ['4', '5', '6']) outcomes.push(await acquire(admission.mine, one));
    expect(outcomes).toEqual([true, true, false]);
  });

  it('leaves no row behind', async () => {
    const database = await openDatabase();
    const { replica } = await join(database);
    await replica.leave();
    expect([await rows(database), replica.isLive]).toEqual([[], false]);
  });
});
