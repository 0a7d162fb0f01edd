import { describe, expect, it, onTestFinished } from 'vitest';

import { migrate } from '#server/stores/postgres/migrations.ts';
import { PostgresPool } from '#server/stores/postgres/pool.ts';
import { migrationsOf } from '#test/support/postgres/later-migrations.ts';
import { parsedUrl } from '#test/support/postgres/migrated.ts';
import { freshDatabase } from '#test/support/postgres/postgres.ts';
import { noPostgres } from '#test/support/postgres/programs.ts';
import { because } from '#test/support/programs.ts';

/** Opens an empty database. */
async function empty(connections = 1): Promise<PostgresPool[]> {
  const database = await freshDatabase();
  const pools = Array.from(
    { length: connections },
    () => new PostgresPool(parsedUrl(database.url), { deadlineMs: 60_000 }),
  );
  onTestFinished(async () => {
    await Promise.all(pools.map((pool) => pool.close()));
    await database.drop();
  });
  return pools;
}

/** The first migration makes the table of the servers. */
const replicas = 'CREATE TABLE replicas (replica_id TEXT, leased_until BIGINT, version INTEGER)';
const one = ['0001-one.sql', `CREATE TABLE one (id BIGINT); ${replicas}`] as const;
const two = ['0002-two.sql', 'CREATE TABLE two (id BIGINT)'] as const;

describe.skipIf(noPostgres())(`migrate() of PostgreSQL${because(noPostgres())}`, () => {
  it('applies what is missing, in order, and nothing twice', async () => {
    const [pool] = await empty();
    expect(await migrate(pool!, migrationsOf(one))).toEqual({ applied: ['0001-one'], version: 1 });
    const both = migrationsOf(one, two);
    expect(await migrate(pool!, both)).toEqual({ applied: ['0002-two'], version: 2 });
    expect(await migrate(pool!, both)).toEqual({ applied: [], version: 2 });
    expect((await pool!.query('SELECT count(*) FROM one, two')).rows).toEqual([[0]]);
  });

  it('lets each of several processes that start at once apply a part, and none twice', async () => {
    const pools = await empty(4);
    const all = await Promise.all(pools.map((pool) => migrate(pool)));
    const applied = all.flatMap((done) => done.applied);
    expect(applied.toSorted()).toEqual([...new Set(applied)].toSorted());
    expect(applied).toHaveLength(all[0]!.version);
  });

  it('undoes a migration that fails, and keeps those before', async () => {
    const [pool] = await empty();
    const broken = migrationsOf(one, ['0002-two.sql', 'CREATE TABLE two (id BIGINT); SELECT 1/0']);
    await expect(migrate(pool!, broken)).rejects.toThrow('division by zero');
    expect(await migrate(pool!, migrationsOf(one, two))).toEqual({ applied: ['0002-two'], version: 2 });
  });

  it('refuses a database of a newer version, of other migrations, and a changed file, in words', async () => {
    const [pool] = await empty();
    await migrate(pool!, migrationsOf(one, two));
    await expect(migrate(pool!, migrationsOf(one))).rejects.toMatchObject({
      name: 'MigrationRefused',
      message: expect.stringContaining('The database is at version 2, but this Cubby knows only 1'),
    });
    await expect(migrate(pool!, migrationsOf(one, ['0002-other.sql', two[1]]))).rejects.toThrow('must not be renamed');
    await expect(migrate(pool!, migrationsOf(one, [two[0], `${two[1]};`]))).rejects.toThrow('was changed after');
  });

  it('refuses a migration that ends its transaction', async () => {
    const [pool] = await empty();
    const ending = migrationsOf(['0001-one.sql', 'CREATE TABLE one (id BIGINT); COMMIT; BEGIN']);
    await expect(migrate(pool!, ending)).rejects.toThrow('must not contain COMMIT');
  });
});
