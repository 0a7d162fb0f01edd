import { describe, expect, it } from 'vitest';

import { stateDatabase } from '#server/stores/postgres/state/database.ts';
import { PostgresJobLeases } from '#server/stores/postgres/state/job-leases.ts';
import { noPostgres } from '#test/support/postgres/programs.ts';
import { because } from '#test/support/programs.ts';
import { openPostgres } from './open-postgres.ts';

async function openLeases() {
  const { metadata, pool } = await openPostgres();
  const database = stateDatabase(pool);
  await database.run(`INSERT INTO replicas VALUES ('a', ${farAway}, 1), ('b', ${farAway}, 1)`, []);
  return {
    metadata,
    database,
    a: new PostgresJobLeases(database, () => 'a'),
    b: new PostgresJobLeases(database, () => 'b'),
    endLeaseOf: (id: string) => database.run('UPDATE replicas SET leased_until = 0 WHERE replica_id = $1', [id]),
  };
}

const farAway = Number.MAX_SAFE_INTEGER;

describe.skipIf(noPostgres())(`PostgresJobLeases${because(noPostgres())}`, () => {
  it('gives each job to one process of many that ask at once', async () => {
    const { a, b } = await openLeases();
    for (const job of ['one', 'two']) {
      const [first, second] = await Promise.all([a.take(job, 0), b.take(job, 0)]);
      expect([first, second].filter(Boolean)).toHaveLength(1);
    }
  });

  it('gives a job again when it was given back, but not within the pause', async () => {
    const { a, b } = await openLeases();
    await a.end((await a.take('one', 0))!);
    expect(await b.take('one', 60_000)).toBeUndefined();
    expect(await b.take('one', 0)).toEqual({ job: 'one', epoch: 2 });
  });

  it('gives a job again before the pause is over when it was given back as failed', async () => {
    const { a, b } = await openLeases();
    await a.end((await a.take('one', 0))!, 50_000);
    expect(await b.take('one', 60_000)).toBeUndefined();
    await a.end((await a.take('one', 0))!, 60_000);
    expect(await b.take('one', 60_000)).toEqual({ job: 'one', epoch: 3 });
  });

  it('gives the job of a process whose lease ended to another one, and refuses what the first one writes', async () => {
    const { a, b, metadata, endLeaseOf } = await openLeases();
    const lost = (await a.take('one', 0))!;
    const write = (lease: typeof lost) =>
      metadata.atomically((tx) => tx.clockJump.save({ noticedAt: lease.epoch, byMs: 1 }), { lease });
    await write(lost);
    expect(await b.take('one', 0)).toBeUndefined();
    await endLeaseOf('a');
    const taken = (await b.take('one', 0))!;
    await expect(write(lost)).rejects.toMatchObject({ name: 'JobLeaseLost' });
    await a.end(lost);
    await write(taken);
    expect(await metadata.read.clockJump.find()).toEqual({ noticedAt: taken.epoch, byMs: 1 });
  });

  it('lets a write that has begun end before another process takes the job', async () => {
    const { a, b, metadata, endLeaseOf } = await openLeases();
    const lease = (await a.take('one', 0))!;
    await endLeaseOf('a');
    let taken = false;
    const order: string[] = [];
    const taking = Promise.withResolvers<number>();
    await metadata.atomically(
      async (tx) => {
        await tx.clockJump.find();
        if (!taken) void b.take('one', 0).then(() => taking.resolve(order.push('taken')));
        taken = true;
        for (let read = 0; read < 20; read++) await tx.clockJump.find();
        order.push('written');
      },
      { lease },
    );
    await taking.promise;
    expect(order).toEqual(['written', 'taken']);
  });
});
