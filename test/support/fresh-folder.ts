import { randomBytes } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { openWriter } from '#server/stores/sqlite/connection.ts';
import { migrate } from '#server/stores/sqlite/migrations.ts';

let migrated: Buffer | undefined;

/**
 * Writes a database that is up to date and empty. The migrations run once in a process, and every database after the
 * first is a copy: it takes 2 ms instead of 40.
 *
 * @param path no file may be there
 */
export function writeFreshDatabase(path: string): void {
  writeFileSync(path, (migrated ??= migratedDatabase()), { flag: 'wx' });
}

/** What a server or a command leaves in an empty data folder when it opens it for the first time, but for folders. */
export function writeFreshFolder(dataDir: string): void {
  writeFileSync(join(dataDir, 'master.key'), `${randomBytes(32).toString('hex')}\n`, { mode: 0o600, flag: 'wx' });
  writeFreshDatabase(join(dataDir, 'cubby.db'));
}

function migratedDatabase(): Buffer {
  const folder = mkdtempSync(join(tmpdir(), 'cubby-migrated-'));
  try {
    const path = join(folder, 'cubby.db');
    const writer = openWriter(path, false);
    migrate(writer);
    writer.close();
    return readFileSync(path);
  } finally {
    rmSync(folder, { recursive: true });
  }
}
