import { describe, expect, it, onTestFinished } from 'vitest';

import { knownVersion, migrate, productMigrations, requireUsable } from '#server/stores/postgres/migrations.ts';
import { PostgresPool } from '#server/stores/postgres/pool.ts';
import { stateDatabase, type StateDatabase } from '#server/stores/postgres/state/database.ts';
import { Replica } from '#server/stores/postgres/state/replica.ts';
import type { MigrationRefused } from '#server/stores/system/migration-files.ts';
import { parsedUrl } from '#test/support/postgres/migrated.ts';
import { productAnd, type MigrationFile } from '#test/support/postgres/later-migrations.ts';
import { noPostgres } from '#test/support/postgres/programs.ts';
import { because } from '#test/support/programs.ts';
import { openPostgres } from './open-postgres.ts';

const today = knownVersion();

/** Returns a migration of a later version. */
const later = (after: number, words: string, sql: string): MigrationFile => [
  `${String(today + after).padStart(4, '0')}-${words}.sql`,
  sql,
];

const expand = later(1, 'expand', `-- oldest server: ${today}\nALTER TABLE objects ADD COLUMN note TEXT`);
const contract = later(2, 'contract', `-- oldest server: ${today + 1}\nALTER TABLE objects DROP COLUMN note`);

const quick = { waitMs: 50, pauseMs: 50, tryMs: 200 };

/** A server of a version, without what it serves. */
async function server(pool: PostgresPool, version = today) {
  const outdated: MigrationRefused[] = [];
  const database = stateDatabase(pool);
  let running = Promise.withResolvers<void>();
  running.resolve();
  const suspended: StateDatabase = {
    ...database,
    async run(sql, values) {
      await running.promise;
      return database.run(sql, values);
    },
  };
  const replica = await Replica.join(suspended, {
    version,
    leaseMs: 1_000,
    renewEveryMs: 100,
    onTime: () => {},
    giveBack: async () => {},
    onFault: (error) => {
      throw error;
    },
    onOutdated: (error) => void outdated.push(error),
  });
  const resume = () => running.resolve();
  onTestFinished(() => {
    resume();
    return replica.leave();
  });
  return { replica, outdated, resume, suspend: () => void (running = Promise.withResolvers<void>()) };
}

const columnsOf = async (pool: PostgresPool) =>
  (
    await pool.query<readonly [string]>(
      "SELECT attname FROM pg_attribute WHERE attrelid = 'objects'::regclass AND attname = 'note'",
    )
  ).rows.flat();

describe.skipIf(noPostgres())(`a migration while servers of other versions run${because(noPostgres())}`, () => {
  it('leaves the older servers alone that it names, and takes them again after a start', async () => {
    const { pool } = await openPostgres();
    const old = await server(pool);
    expect(await migrate(pool, productAnd(expand))).toMatchObject({ version: today + 1 });
    expect(await migrate(pool)).toEqual({ applied: [], version: today + 1 });
    await requireUsable(pool);
    await server(pool);
    expect([old.replica.isLive, old.outdated]).toEqual([true, []]);
  });

  it('is refused in words while servers run that would not survive it, and undone', async () => {
    const { pool } = await openPostgres();
    const old = await server(pool);
    const newest = productAnd(expand, contract);
    await expect(migrate(pool, newest)).rejects.toMatchObject({
      name: 'MigrationRefused',
      message: expect.stringMatching(
        new RegExp(`only servers that know version ${today + 1} work after it, and 1 .*knows ${today}`),
      ),
    });
    // What comes before it is applied.
    expect(await migrate(pool)).toEqual({ applied: [], version: today + 1 });
    expect(await columnsOf(pool)).toEqual(['note']);
    await old.replica.leave();
    await server(pool, today + 1);
    expect(await migrate(pool, newest)).toEqual({ applied: [contract[0].slice(0, -4)], version: today + 2 });
  });

  it('is refused and undone when an older server joins while it runs', async () => {
    const { pool } = await openPostgres();
    await migrate(pool, productAnd(expand));
    const slow = later(2, 'slow', `${contract[1]}; SELECT pg_sleep(0.5)`);
    const migrating = migrate(pool, productAnd(expand, slow));
    const refused = expect(migrating).rejects.toThrow('was not applied');
    const isSleeping =
      "SELECT count(*) FROM pg_stat_activity WHERE wait_event = 'PgSleep' AND datname = current_database()";
    await expect.poll(async () => (await pool.query(isSleeping)).rows).toEqual([[1]]);
    const old = await server(pool);
    await refused;
    expect(await columnsOf(pool)).toEqual(['note']);
    expect(old.replica.isLive).toBe(true);
  });

  it('ends an older server that was suspended meanwhile', async () => {
    const { pool } = await openPostgres();
    await migrate(pool, productAnd(expand));
    const old = await server(pool);
    old.suspend();
    await expect.poll(() => old.replica.isLive).toBe(false);
    const newest = productAnd(expand, contract);
    await expect
      .poll(() => migrate(pool, newest).catch((error: Error) => error.message), { interval: 100 })
      .toMatchObject({ version: today + 2 });
    old.resume();
    const words = `The database is at version ${today + 2}, but this Cubby knows only ${today}`;
    await expect.poll(() => old.outdated.map(({ message }) => message)).toEqual([expect.stringContaining(words)]);
    expect(old.replica.isLive).toBe(false);
    await expect(server(pool)).rejects.toThrow(words);
    await server(pool, today + 1);
  });

  it('makes a server that is too old fail at its start, in words', async () => {
    const { pool } = await openPostgres();
    await migrate(pool, productAnd(expand, contract));
    const words =
      `The database is at version ${today + 2}, but this Cubby knows only ${today}: a newer Cubby has used it, and ` +
      `it takes only servers that know version ${today + 1}`;
    await expect(migrate(pool)).rejects.toThrow(words);
    await expect(requireUsable(pool)).rejects.toThrow(words);
    expect(await migrate(pool, productAnd(expand))).toEqual({ applied: [], version: today + 2 });
  });

  it('waits for a table in short steps, so that others get through, and gives up in words', async () => {
    const { pool, url } = await openPostgres();
    const migrations = productAnd(expand);
    const backup = new PostgresPool(parsedUrl(url), { idleInTransactionMs: 60_000 });
    onTestFinished(() => backup.close());
    const session = await backup.take();
    await session.command('BEGIN; SELECT count(*) FROM objects');
    const refused = migrate(pool, migrations, quick);
    const beganAt = performance.now();
    await expect(refused).rejects.toThrow(/another program has kept a table locked.*a backup/);
    expect(performance.now() - beganAt).toBeGreaterThan(quick.tryMs);
    const migrating = migrate(pool, migrations, { ...quick, tryMs: 60_000 });
    for (let count = 0; count < 20; count++) await pool.query('SELECT count(*) FROM objects');
    await session.command('COMMIT');
    backup.release(session);
    expect(await migrating).toMatchObject({ version: today + 1 });
  });

  it('waits for another process that migrates, however long that takes', async () => {
    const { pool } = await openPostgres();
    const slow = productAnd(later(1, 'slow', `-- oldest server: ${today}\nSELECT pg_sleep(0.5)`));
    const both = await Promise.all([migrate(pool, slow, quick), migrate(pool, slow, quick)]);
    expect(both.flatMap(({ applied }) => applied)).toHaveLength(1);
  });

  it('is asked for again by a read whose plan it made old', async () => {
    const { pool } = await openPostgres();
    await pool.query('CREATE TABLE one (id INTEGER)');
    const read = () => pool.query('SELECT id FROM one');
    // Several connections with the plan.
    await Promise.all(Array.from({ length: 8 }, read));
    await pool.query('ALTER TABLE one ALTER COLUMN id TYPE BIGINT');
    await expect(Promise.all(Array.from({ length: 16 }, read))).resolves.toHaveLength(16);
  });

  it('must not name a server that does not exist', async () => {
    const { pool } = await openPostgres();
    const wrong = later(1, 'wrong', `-- oldest server: ${today + 2}\nSELECT 1`);
    await expect(migrate(pool, productAnd(wrong))).rejects.toThrow(`from 1 to ${today + 1}. It names ${today + 2}.`);
  });
});

/** The first one behind the schema. */
const firstStated = 2;

/** What a server of the version before does not survive. */
const breaking: ReadonlyArray<readonly [what: string, found: RegExp]> = [
  ['removes or renames something', /\b(DROP|RENAME)\b(?! DEFAULT| NOT NULL| TRIGGER)/i],
  ['changes a type', /\bALTER COLUMN \w+ (SET DATA )?TYPE\b/i],
  ['requires a value', /\bSET NOT NULL\b|\bADD COLUMN (?![^,;]*\bDEFAULT\b)[^,;]*\bNOT NULL\b/i],
  ['adds a rule for rows', /\bADD CONSTRAINT\b|\bADD (CHECK|UNIQUE|FOREIGN KEY|PRIMARY KEY)\b/i],
];

function breaksIn(sql: string): string[] {
  const statements = sql.replaceAll(/--.*$/gm, '');
  return breaking.filter(([, found]) => found.test(statements)).map(([what]) => what);
}

/** Returns what is wrong with a list of migrations, given by their SQL. */
function faultsOf(files: readonly string[]): string[] {
  const faults: string[] = [];
  let before = 0;
  for (const [index, sql] of files.entries()) {
    const version = index + 1;
    const stated = /^-- oldest server: (\d+)$/m.exec(sql)?.[1];
    if (stated === undefined && version >= firstStated) faults.push(`${version} does not say which servers survive it`);
    const oldest = Number(stated ?? version);
    if (oldest <= before) faults.push(...breaksIn(sql).map((what) => `${version} ${what}, and keeps all servers`));
    before = Math.max(before, oldest);
  }
  return faults;
}

describe('the migrations of PostgreSQL', () => {
  it('say which servers survive them, and break none of these', () => {
    expect(faultsOf(productMigrations().map(({ sql }) => sql))).toEqual([]);
  });

  const schema = 'CREATE TABLE a (b TEXT)';
  it.each([
    ['SELECT 1', ['2 does not say which servers survive it']],
    ['-- oldest server: 1\nALTER TABLE a DROP COLUMN b', ['2 removes or renames something, and keeps all servers']],
    [
      '-- oldest server: 1\nALTER TABLE a RENAME COLUMN b TO c',
      ['2 removes or renames something, and keeps all servers'],
    ],
    ['-- oldest server: 1\nALTER TABLE a ALTER COLUMN b TYPE BIGINT', ['2 changes a type, and keeps all servers']],
    ['-- oldest server: 1\nALTER TABLE a ADD COLUMN b TEXT NOT NULL', ['2 requires a value, and keeps all servers']],
    ['-- oldest server: 1\nALTER TABLE a ALTER COLUMN b SET NOT NULL', ['2 requires a value, and keeps all servers']],
    ['-- oldest server: 1\nALTER TABLE a ADD CHECK (b > 0)', ['2 adds a rule for rows, and keeps all servers']],
    ['-- oldest server: 2\nALTER TABLE a DROP COLUMN b', []],
    ["-- oldest server: 1\nALTER TABLE a ADD COLUMN b TEXT NOT NULL DEFAULT ''", []],
    ['-- oldest server: 1\nALTER TABLE a ALTER COLUMN c DROP NOT NULL', []],
    ['-- oldest server: 1\nCREATE TABLE a (b TEXT NOT NULL CHECK (b <> 0)); CREATE INDEX c ON a (b)', []],
  ])('are held against the rules: %s', (sql, faults) => {
    expect(faultsOf([schema, sql])).toEqual(faults);
  });
});
