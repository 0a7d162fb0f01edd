import { chmod } from 'node:fs/promises';
import { join } from 'node:path';

import { describe, expect, it, onTestFinished } from 'vitest';

import { knownVersion } from '#server/stores/postgres/migrations.ts';
import { cubbyOver, temporaryFolder } from '#test/cli/cubby.ts';
import { spawnServer } from '#test/faults/spawned-server.ts';
import { writeFreshFolder, writeFreshKey } from '#test/support/fresh-folder.ts';
import { newerCubby } from '#test/support/newer-cubby.ts';
import { migrated } from '#test/support/postgres/migrated.ts';
import { freshDatabase } from '#test/support/postgres/postgres.ts';
import { noPostgres } from '#test/support/postgres/programs.ts';
import { because } from '#test/support/programs.ts';
import { startTestServer } from '#test/support/server.ts';

const today = knownVersion();

const nameOf = (version: number) => `${String(version).padStart(4, '0')}-notes-of-${version}`;

/** Programs of a later version, with two migrations. */
function later(engine: 'postgres' | 'sqlite') {
  const migrations = [today + 1, today + 2].map(
    (version) =>
      [
        `${nameOf(version)}.sql`,
        `-- oldest server: ${today}\nALTER TABLE accounts ADD COLUMN note_${version} TEXT`,
      ] as const,
  );
  return newerCubby({ engine, migrations });
}

const details = { from: today, to: today + 2, applied: [nameOf(today + 1), nameOf(today + 2)] };

interface Installation {
  readonly dataDir: string;
  readonly env?: Readonly<Record<string, string>>;
}

/** A data folder of SQLite that this version has made. */
async function folder(): Promise<Installation> {
  const dataDir = await temporaryFolder();
  writeFreshFolder(dataDir);
  await chmod(dataDir, 0o700);
  await chmod(join(dataDir, 'cubby.db'), 0o600);
  return { dataDir };
}

/** Returns what the audit log of an installation holds. */
async function auditOf({ dataDir, env }: Installation, commands: string): Promise<unknown[]> {
  const { stdout } = await cubbyOver(dataDir, env, commands)('audit', 'export');
  const lines = stdout.trimEnd();
  return lines === '' ? [] : lines.split('\n').map((line) => JSON.parse(line));
}

/** Starts the server of a later version twice. Returns the audit log. */
async function auditOfStarts(engine: 'postgres' | 'sqlite', installation: Installation): Promise<unknown[]> {
  const { entry, commands } = await later(engine);
  for (let start = 0; start < 2; start++) {
    const server = await spawnServer({ ...installation, entry, ownStores: engine === 'sqlite' });
    await server.stop();
  }
  return auditOf(installation, commands);
}

describe('an upgrade of the database', () => {
  it('by a start over SQLite is in the audit log once, with the versions', async () => {
    expect(await auditOfStarts('sqlite', await folder())).toMatchObject([
      { action: 'database.migrated', actor: { kind: 'server' }, details },
    ]);
  });

  it.skipIf(noPostgres())(`by a start over PostgreSQL is there too${because(noPostgres())}`, async () => {
    const database = await freshDatabase(migrated);
    onTestFinished(() => database.drop());
    const dataDir = await temporaryFolder();
    writeFreshKey(dataDir);
    const env = { CUBBY_DATABASE_URL: database.url };
    expect(await auditOfStarts('postgres', { dataDir, env })).toMatchObject([
      { action: 'database.migrated', actor: { kind: 'server' }, details },
    ]);
  });

  it.each([['migrate'], ['account list']])('by "cubby %s" names the system user, once', async (command) => {
    const installation = await folder();
    const { commands } = await later('sqlite');
    await cubbyOver(installation.dataDir, {}, commands).json(...command.split(' '));
    expect(await auditOf(installation, commands)).toMatchObject([
      { action: 'database.migrated', actor: { kind: 'command_line' }, details },
    ]);
  });

  it('is not what a first start does', async () => {
    const dataDir = await temporaryFolder();
    for (let start = 0; start < 2; start++) {
      const server = await startTestServer({ dataDir, ownStores: true });
      const entries = await server.running.app.stores.metadata.read.audit.scan({ after: 0, limit: 10 });
      await server.stop();
      expect(entries).toEqual([]);
    }
  });
});
