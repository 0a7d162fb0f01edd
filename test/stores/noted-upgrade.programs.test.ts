import { chmod, readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

import { describe, expect, it, onTestFinished } from 'vitest';

import { migrate } from '#server/stores/postgres/migrations.ts';
import { PostgresPool } from '#server/stores/postgres/pool.ts';
import { cubbyHere, temporaryFolder } from '#test/cli/cubby.ts';
import { writeFreshKey } from '#test/support/fresh-folder.ts';
import { openOlderDatabase } from '#test/support/older-database.ts';
import { parsedUrl } from '#test/support/postgres/migrated.ts';
import { folderWith } from '#test/support/postgres/migration-folder.ts';
import { freshDatabase } from '#test/support/postgres/postgres.ts';
import { noPostgres } from '#test/support/postgres/programs.ts';
import { because } from '#test/support/programs.ts';
import { startTestServer, type TestServerOptions } from '#test/support/server.ts';

const productOf = (engine: string) => join(import.meta.dirname, `../../server/stores/${engine}/migrations`);

/** Returns the names of an engine's migrations, in order. */
async function namesOf(engine: string): Promise<string[]> {
  return (await readdir(productOf(engine))).toSorted().map((file) => file.replace(/\.sql$/, ''));
}

/** A data folder of SQLite from before a migration. */
async function olderFolder(before: string): Promise<string> {
  const { dataDir, db } = openOlderDatabase(before);
  db.close();
  writeFreshKey(dataDir);
  await chmod(dataDir, 0o700);
  return dataDir;
}

/** Starts a server over an older database, and starts it again. Returns the audit log. */
async function auditOfStarts(options: TestServerOptions): Promise<unknown> {
  for (let start = 0; start < 2; start++) {
    const server = await startTestServer({ ...options, ownStores: true });
    const entries = await server.running.app.stores.metadata.read.audit.scan({ after: 0, limit: 10 });
    await server.stop();
    if (start === 1) return entries;
  }
  return undefined;
}

const byServer = { kind: 'server', id: null, address: null };

describe('an upgrade of the database', { timeout: 60_000 }, () => {
  it('by a start over SQLite is in the audit log once, with the versions', async () => {
    const names = await namesOf('sqlite');
    const first = names.findIndex((name) => name.endsWith('-owners'));
    const details = { from: first, to: names.length, applied: names.slice(first) };
    expect(await auditOfStarts({ dataDir: await olderFolder('owners') })).toMatchObject([
      { action: 'database.migrated', by: byServer, accountId: null, subject: null, details },
    ]);
  });

  it.skipIf(noPostgres())(`by a start over PostgreSQL is there too${because(noPostgres())}`, async () => {
    const names = await namesOf('postgres');
    const database = await freshDatabase();
    onTestFinished(() => database.drop());
    const pool = new PostgresPool(parsedUrl(database.url));
    const older = names.slice(0, -1).map((name) => `${name}.sql`);
    const files = await Promise.all(
      older.map(async (file) => [file, await readFile(join(productOf('postgres'), file), 'utf8')] as const),
    );
    await migrate(pool, await folderWith(...files));
    await pool.close();
    const dataDir = await temporaryFolder();
    writeFreshKey(dataDir);
    const env = { CUBBY_DATABASE_URL: database.url };
    const details = { from: names.length - 1, to: names.length, applied: names.slice(-1) };
    expect(await auditOfStarts({ dataDir, env })).toMatchObject([
      { action: 'database.migrated', by: byServer, details },
    ]);
  });

  it.each([['migrate'], ['account list']])('by "cubby %s" names the system user, once', async (command) => {
    const cubby = cubbyHere(await olderFolder('owners'));
    await cubby.json(...command.split(' '));
    const { stdout } = await cubby('audit', 'export');
    const entries = stdout.trimEnd().split('\n');
    expect(entries.map((line) => JSON.parse(line))).toMatchObject([
      { action: 'database.migrated', actor: { kind: 'command_line' }, details: { from: 25 } },
    ]);
  });

  it('is not what a first start does', async () => {
    expect(await auditOfStarts({ dataDir: await temporaryFolder() })).toEqual([]);
  });
});
