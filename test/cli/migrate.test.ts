import { readdirSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

import { describe, expect, it } from 'vitest';

import { knownVersion } from '#server/stores/postgres/migrations.ts';
import { productMigrations } from '#server/stores/sqlite/migrations.ts';
import { newerCubby } from '#test/support/newer-cubby.ts';
import type { MigrationFile } from '#test/support/postgres/later-migrations.ts';
import { changeSqlite } from '#test/support/stored.ts';
import { cubbyHere, cubbyOver, temporaryFolder } from './cubby.ts';

const today = productMigrations().length;

/** Two migrations of later versions. */
const later: readonly MigrationFile[] = [
  'ALTER TABLE accounts ADD COLUMN note TEXT',
  "UPDATE accounts SET note = 'kept' || name",
].map((sql, at) => [`${String(today + at + 1).padStart(4, '0')}-notes-${at}.sql`, sql]);

const names = later.map(([name]) => name.slice(0, -'.sql'.length));

/** A data folder of this version, with an account in it. */
async function older(): Promise<string> {
  const dataDir = await temporaryFolder();
  await cubbyHere(dataDir).json('account', 'create', '--name', 'old', '--plan', 'pro');
  return dataDir;
}

describe('cubby migrate --dry-run', () => {
  it('says what an upgrade would do and how long it takes, and changes nothing', async () => {
    const dataDir = await older();
    const before = await readFile(join(dataDir, 'cubby.db'));
    const newer = cubbyOver(dataDir, {}, (await newerCubby({ engine: 'sqlite', migrations: later })).commands);
    const { pending } = await newer.json('migrate', '--dry-run');
    expect(pending.map(({ name }: any) => name)).toEqual(names);
    for (const { duration_ms: ms } of pending) expect(ms).toBeGreaterThan(0);
    expect((await readFile(join(dataDir, 'cubby.db'))).equals(before)).toBe(true);
    expect(readdirSync(dataDir).filter((name) => name.startsWith('scratch'))).toEqual([]);
    expect((await newer('migrate', '--dry-run')).stdout).toMatch(
      new RegExp(
        String.raw`would apply:\n {2}${names[0]}: .*\nOn a copy this took .* Nothing was changed\. ` +
          'Back up before you upgrade',
        's',
      ),
    );
    expect(await newer.json('migrate')).toMatchObject({ applied: names });
    expect(await newer.json('migrate', '--dry-run')).toEqual({ pending: [] });
    expect((await newer('migrate', '--dry-run')).stdout).toMatch(/^An upgrade has nothing to do: /);
    expect(await newer.json('account', 'list')).toMatchObject([{ name: 'old' }]);
  });

  it('refuses a database of a newer version, and a folder without one', async () => {
    const dataDir = await older();
    const { commands } = await newerCubby({ engine: 'sqlite', migrations: later });
    await cubbyOver(dataDir, {}, commands).json('migrate');
    const cubby = cubbyHere(dataDir);
    for (const args of [['migrate', '--dry-run'], ['migrate'], ['account', 'list'], ['store', 'check']])
      expect(await cubby(...args)).toMatchObject({
        code: 1,
        stderr: expect.stringContaining(
          `The database is at version ${today + 2}, but this Cubby knows only ${today}: a newer Cubby has used ` +
            'it. Start that version, or restore a backup from before the upgrade.',
        ),
      });
    const empty = await cubbyHere(await temporaryFolder())('migrate', '--dry-run');
    expect(empty).toMatchObject({ code: 1, stderr: expect.stringMatching(/There is no Cubby database in/) });
  });

  it('refuses a database of an unreleased version in one sentence, as all commands do', async () => {
    const dataDir = await older();
    await changeSqlite(dataDir, "UPDATE schema_migrations SET name = '0001-accounts-keys-objects', sha256 = 'x'");
    const cubby = cubbyHere(dataDir);
    for (const args of [['migrate', '--dry-run'], ['migrate'], ['account', 'list'], ['store', 'check']])
      expect(await cubby(...args)).toMatchObject({
        code: 1,
        stderr: expect.stringContaining(
          'The database was made by an unreleased version of Cubby and cannot be upgraded: start this version ' +
            'with an empty data folder or database, and copy the files from the old version with an S3 client.',
        ),
      });
  });
});

it('both engines have as many migrations', () => {
  expect(knownVersion()).toBe(today);
});
