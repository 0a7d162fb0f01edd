import { readdirSync } from 'node:fs';
import { chmod, readFile } from 'node:fs/promises';
import { join } from 'node:path';

import { describe, expect, it } from 'vitest';

import { readMigrations } from '#server/stores/system/migration-files.ts';
import { writeFreshKey } from '#test/support/fresh-folder.ts';
import { openOlderDatabase } from '#test/support/older-database.ts';
import { changeSqlite } from '#test/support/stored.ts';
import { cubbyHere, temporaryFolder } from './cubby.ts';

const product = new URL('../../server/stores/sqlite/migrations/', import.meta.url);
const migrations = readMigrations(product);

/** A data folder of an earlier version, with an account in it. */
async function older(before: string): Promise<string> {
  const { dataDir, db } = openOlderDatabase(before);
  db.exec("INSERT INTO accounts (account_id, name, plan, created_at) VALUES ('204815162342108999', 'old', 'pro', 1)");
  db.close();
  writeFreshKey(dataDir);
  await chmod(dataDir, 0o700);
  return dataDir;
}

describe('cubby migrate --dry-run', { timeout: 60_000 }, () => {
  it('says what an upgrade would do and how long it takes, and changes nothing', async () => {
    const dataDir = await older('owners');
    const before = await readFile(join(dataDir, 'cubby.db'));
    const cubby = cubbyHere(dataDir);
    const { pending } = await cubby.json('migrate', '--dry-run');
    const names = migrations.map(({ name }) => name);
    expect(pending.map(({ name }: any) => name)).toEqual(
      names.slice(names.findIndex((name) => name.endsWith('-owners'))),
    );
    for (const { duration_ms: ms } of pending) expect(ms).toBeGreaterThan(0);
    expect((await readFile(join(dataDir, 'cubby.db'))).equals(before)).toBe(true);
    expect(readdirSync(dataDir).filter((name) => name.startsWith('scratch'))).toEqual([]);
    expect((await cubby('migrate', '--dry-run')).stdout).toMatch(
      /would apply:\n {2}0026-owners: .*\nOn a copy this took .* Nothing was changed\. Back up before you upgrade/s,
    );
    await cubby.json('migrate');
    expect(await cubby.json('migrate', '--dry-run')).toEqual({ pending: [] });
    expect((await cubby('migrate', '--dry-run')).stdout).toMatch(/^An upgrade has nothing to do: /);
  });

  it('refuses a database of a newer version, and a folder without one', async () => {
    const dataDir = await older('owners');
    const cubby = cubbyHere(dataDir);
    await cubby.json('migrate');
    await changeSqlite(dataDir, "INSERT INTO schema_migrations VALUES (9999, 'later', 'x', 1)");
    for (const args of [['migrate', '--dry-run'], ['migrate'], ['account', 'list'], ['store', 'check']]) {
      const { code, stderr } = await cubby(...args);
      expect({ code, stderr }).toEqual({
        code: 1,
        stderr: expect.stringMatching(
          /The database is at version \d+, but this Cubby knows only \d+: a newer Cubby has used it\. Start that version, or restore a backup from before the upgrade\./,
        ),
      });
    }
    const empty = await cubbyHere(await temporaryFolder())('migrate', '--dry-run');
    expect(empty).toMatchObject({ code: 1, stderr: expect.stringMatching(/There is no Cubby database in/) });
  });
});
