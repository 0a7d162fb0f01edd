import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openWriter } from '#server/stores/sqlite/connection.ts';
import { migrate } from '#server/stores/sqlite/migrations.ts';
import { MigrationRefused, readMigrations } from '#server/stores/system/migration-files.ts';

let root: string;
let path: string;
let db: DatabaseSync;

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'cubby-migrations-'));
  for (const folder of ['schema', 'migrations']) mkdirSync(join(root, folder));
  path = join(root, 'cubby.db');
  db = openWriter(path);
  part('accounts.sql', 'CREATE TABLE account (id INTEGER PRIMARY KEY) STRICT;');
  file(
    '0002-objects.sql',
    'CREATE TABLE object (id INTEGER PRIMARY KEY, account INTEGER NOT NULL REFERENCES account (id) ON DELETE ' +
      'CASCADE) STRICT;',
  );
});

afterEach(() => {
  db.close();
  rmSync(root, { recursive: true });
});

const part = (name: string, sql: string) => writeFileSync(join(root, 'schema', name), sql);
const file = (name: string, sql: string) => writeFileSync(join(root, 'migrations', name), sql);
const rename = (from: string, to: string) => renameSync(join(root, 'migrations', from), join(root, 'migrations', to));
const read = (parts: readonly string[] = ['accounts']) => {
  const engine = pathToFileURL(`${root}/`);
  return readMigrations(
    engine,
    parts.map((part) => new URL(`schema/${part}.sql`, engine)),
  );
};
const tables = () =>
  db
    .prepare("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name")
    .all()
    .map((row) => row.name);

describe('migrate()', () => {
  it('applies all migrations in order and records them', () => {
    expect(migrate(db, read())).toEqual({ applied: ['0001-schema', '0002-objects'], version: 2 });
    expect(tables()).toEqual(['account', 'object', 'schema_migrations']);
    const [first] = db.prepare('SELECT * FROM schema_migrations').all();
    expect(first).toMatchObject({ version: 1, name: '0001-schema', sha256: expect.stringMatching(/^[0-9a-f]{64}$/) });
    expect(Math.abs(Date.now() - Number(first!.applied_at))).toBeLessThan(60_000);
  });

  it('does nothing the second time, and later only applies new ones', () => {
    migrate(db, read());
    expect(migrate(db, read())).toEqual({ applied: [], version: 2 });
    file('0003-notes.sql', 'CREATE TABLE note (id INTEGER PRIMARY KEY) STRICT;');
    expect(migrate(db, read())).toEqual({ applied: ['0003-notes'], version: 3 });
  });

  it('makes the parts of the schema in the given order, also without any later migration', () => {
    part(
      'notes.sql',
      'CREATE TABLE note (account INTEGER REFERENCES account (id)) STRICT; INSERT INTO note VALUES (NULL);',
    );
    rmSync(join(root, 'migrations'), { recursive: true });
    expect(migrate(db, read(['accounts', 'notes']))).toEqual({ applied: ['0001-schema'], version: 1 });
    expect(tables()).toEqual(['account', 'note', 'schema_migrations']);
  });

  it('rolls back a migration that fails halfway, and keeps those before it', () => {
    file('0003-broken.sql', 'CREATE TABLE half (id INTEGER) STRICT; INSERT INTO nowhere VALUES (1);');
    expect(() => migrate(db, read())).toThrow('no such table: nowhere');
    expect(tables()).toEqual(['account', 'object', 'schema_migrations']);
    expect(db.prepare('SELECT max(version) AS version FROM schema_migrations').get()).toEqual({ version: 2 });
    expect(db.isTransaction).toBe(false);
  });

  it('rebuilds a table without deleting the rows that refer to it', () => {
    migrate(db, read());
    db.exec('INSERT INTO account VALUES (1); INSERT INTO object VALUES (10, 1)');
    file(
      '0003-rebuild.sql',
      'CREATE TABLE next (id INTEGER PRIMARY KEY, name TEXT) STRICT; INSERT INTO next (id) SELECT id FROM ' +
        'account; DROP TABLE account; ALTER TABLE next RENAME TO account;',
    );
    migrate(db, read());
    expect(db.prepare('SELECT id FROM object').all()).toHaveLength(1);
    expect(() => db.exec('INSERT INTO object VALUES (11, 999)')).toThrow('FOREIGN KEY');
  });

  it('refuses a migration that leaves dangling references', () => {
    migrate(db, read());
    db.exec('INSERT INTO account VALUES (1); INSERT INTO object VALUES (10, 1)');
    file('0003-careless.sql', 'DELETE FROM account;');
    expect(() => migrate(db, read())).toThrow('leaves rows of object that refer to rows of account');
    expect(db.prepare('SELECT id FROM account').all()).toHaveLength(1);
  });

  it('restores the settings of the connection', () => {
    migrate(db, read());
    expect(db.prepare('PRAGMA busy_timeout').get()).toEqual({ timeout: 0 });
    expect(db.prepare('PRAGMA foreign_keys').get()).toEqual({ foreign_keys: 1 });
  });

  it('refuses a database that is newer than the code', () => {
    migrate(db, read());
    rmSync(join(root, 'migrations/0002-objects.sql'));
    expect(() => migrate(db, read())).toThrow(MigrationRefused);
    expect(() => migrate(db, read())).toThrow('a newer Cubby has used it');
  });

  it('refuses a gap, a number twice and a name of another form', () => {
    file('0004-gap.sql', '');
    expect(() => migrate(db, read())).toThrow('0004-gap.sql stands where number 3 should');
    rename('0004-gap.sql', '0002-twice.sql');
    expect(() => migrate(db, read())).toThrow(MigrationRefused);
    rename('0002-twice.sql', '3-Notes.sql');
    expect(() => migrate(db, read())).toThrow('not named like');
    expect(tables()).toEqual([]);
  });

  it('refuses when an applied migration was renamed or changed', () => {
    migrate(db, read());
    rename('0002-objects.sql', '0002-things.sql');
    expect(() => migrate(db, read())).toThrow('applied as 0002-objects and is now called 0002-things');
    rename('0002-things.sql', '0002-objects.sql');
    file('0002-objects.sql', 'CREATE TABLE object (id INTEGER PRIMARY KEY) STRICT;');
    expect(() => migrate(db, read())).toThrow('0002-objects was changed after it was applied');
  });

  it('refuses a database of another schema, which no release has made, and leaves it as it is', () => {
    migrate(db, read());
    part('accounts.sql', 'CREATE TABLE account (id INTEGER PRIMARY KEY, name TEXT) STRICT;');
    file('0003-notes.sql', 'CREATE TABLE note (id INTEGER PRIMARY KEY) STRICT;');
    expect(() => migrate(db, read())).toThrow(MigrationRefused);
    expect(() => migrate(db, read())).toThrow(
      /made by an unreleased version of Cubby .*: start this version with an empty/,
    );
    expect(tables()).toEqual(['account', 'object', 'schema_migrations']);
  });

  it('ignores other line endings and other files', () => {
    part('accounts.sql', 'CREATE TABLE account (\n  id INTEGER PRIMARY KEY\n) STRICT;\n');
    file('0003-notes.sql', 'CREATE TABLE note (\n  id INTEGER\n) STRICT;\n');
    migrate(db, read());
    part('accounts.sql', 'CREATE TABLE account (\r\n  id INTEGER PRIMARY KEY\r\n) STRICT;\r\n');
    file('0003-notes.sql', 'CREATE TABLE note (\r\n  id INTEGER\r\n) STRICT;\r\n');
    file('README.md', 'about these');
    expect(migrate(db, read()).applied).toEqual([]);
  });

  it('is safe in four processes at once: each migration is applied by one of them', async () => {
    for (let version = 3; version <= 12; version++)
      file(`${String(version).padStart(4, '0')}-table.sql`, `CREATE TABLE t${version} (id INTEGER) STRICT;`);
    const code = `
      import { openWriter } from '${import.meta.resolve('#server/stores/sqlite/connection.ts')}';
      import { migrate } from '${import.meta.resolve('#server/stores/sqlite/migrations.ts')}';
      console.log(JSON.stringify(migrate(openWriter(process.argv[1]), JSON.parse(process.argv[2])).applied));
    `;
    const outputs = await Promise.all(
      Array.from({ length: 4 }, async () => {
        const child = spawn(process.execPath, ['--input-type=module', '-e', code, path, JSON.stringify(read())], {
          stdio: ['ignore', 'pipe', 'inherit'],
        });
        let output = '';
        child.stdout.on('data', (chunk) => (output += chunk));
        expect(await once(child, 'close')).toEqual([0, null]);
        return JSON.parse(output) as string[];
      }),
    );
    expect(outputs.flat()).toHaveLength(12);
    expect(new Set(outputs.flat()).size).toBe(12);
  });
});
