import { randomBytes } from 'node:crypto';
import { link, open, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { NeedsChange } from '#server/needs-change.ts';
import { ifMissing } from './private-modes.ts';
import { keySecrets } from './secrets.ts';

/**
 * The master key is missing, damaged or another one than before. The message is one line for the operator.
 */
export class MasterKeyUnusable extends NeedsChange {
  override readonly name = 'MasterKeyUnusable';
}

/** The source of a server's master key. */
export interface KeyPlace {
  readonly dataDir: string;
  /** The variable that gives the key, unless it is in the data folder. */
  readonly masterKeySource: string | undefined;
}

/** Returns the value that is stored in the database to recognise the key. It reveals nothing about the key. */
export function keyCheckOf(masterKey: Uint8Array): string {
  return keySecrets(masterKey, 0).sign('master-key-check', 'cubby');
}

/** Returns the beginning of a sentence about the key that a server was started with. */
export function keyPlaceHolds({ dataDir, masterKeySource }: KeyPlace): string {
  const named = {
    CUBBY_MASTER_KEY: 'CUBBY_MASTER_KEY holds',
    CUBBY_MASTER_KEY_FILE: 'The file that CUBBY_MASTER_KEY_FILE names holds',
  }[masterKeySource ?? ''];
  return named ?? `${keyFileOf(dataDir)} holds`;
}

/** Returns the path of the key in a data folder. */
export function keyFileOf(dataDir: string): string {
  return join(dataDir, 'master.key');
}

/** Returns the error for a key that is not the database's. With it, no API key and no link would work. */
export function wrongMasterKey(place: KeyPlace, database: string): MasterKeyUnusable {
  return new MasterKeyUnusable(
    `${keyPlaceHolds(place)} another master key than the one that the database ${database} was made with: no API ` +
      'key and no link would work. ' +
      ('Put the right key there (a backup of the database goes with the key of its time). If that key is lost for ' +
        'good, "cubby master-key accept" says what to do.'),
  );
}

/**
 * Returns the master key of a data folder: the configured one, or the one in `master.key`. The first start creates that
 * file with mode 0600. Without it all links and credentials are lost, so it is durable before anything is derived from
 * it.
 *
 * @param mayMake whether the folder is new. A used folder without a key must not silently get another one.
 */
export async function masterKeyOf(
  dataDir: string,
  configured: string | undefined,
  mayMake = true,
): Promise<Uint8Array> {
  if (configured !== undefined) return Buffer.from(configured);
  const path = keyFileOf(dataDir);
  const kept = await readKeyFile(path);
  if (kept !== undefined) return keyOf(path, kept);
  if (!mayMake) {
    throw new MasterKeyUnusable(
      `${path} is missing, but this data folder has been used before: all its keys and links hang on that file. ` +
        ('Restore it from a backup, or set CUBBY_MASTER_KEY to the key that was used. If it is lost for good, ' +
          '"cubby master-key accept" says what to do.'),
    );
  }
  await storeKeyFile(dataDir, newMasterKey());
  return keyOf(path, await readFile(path, 'utf8'));
}

async function readKeyFile(path: string): Promise<string | undefined> {
  return readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EISDIR') return ifMissing(error);
    throw new MasterKeyUnusable(
      `${path} is a folder, but must be the file with the master key. Container engines make a folder where a ` +
        'file to mount is missing. Remove it, and put the file there.',
    );
  });
}

function keyOf(path: string, text: string): Uint8Array {
  const key = text.trim();
  if (key.length < 32)
    throw new MasterKeyUnusable(`${path} is damaged: it must hold at least 32 characters. Restore it from a backup.`);
  return Buffer.from(key);
}

/** Makes a new master key. */
export function newMasterKey(): string {
  return randomBytes(32).toString('hex');
}

/**
 * Replaces the key in a data folder. The former one stays beside it, as `master.key.<number>`, because backups from
 * before need it. A crash leaves either the former key or the new one in place. May be called again, and by several
 * processes at once.
 *
 * @param former the number of the key that is replaced
 * @returns whether the file had another key
 */
export async function replaceKeyFile(dataDir: string, key: Uint8Array, former: number): Promise<boolean> {
  const path = keyFileOf(dataDir);
  if (Buffer.compare(keyOf(path, await readFile(path, 'utf8')), key) === 0) return false;
  const draft = await writeDraft(dataDir, Buffer.from(key).toString('utf8'));
  await link(path, `${path}.${former}`).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error;
  });
  await rename(draft, path);
  await syncFolder(dataDir);
  return true;
}

async function writeDraft(dataDir: string, key: string): Promise<string> {
  const draft = `${keyFileOf(dataDir)}.${randomBytes(6).toString('hex')}`;
  await writeFile(draft, `${key}\n`, { flag: 'wx', mode: 0o600, flush: true });
  return draft;
}

/**
 * Stores a key in a data folder that has none, and keeps one that it has. Two processes that do it at once agree on one
 * key, and a process that is killed leaves no part of one.
 */
export async function storeKeyFile(dataDir: string, key: string): Promise<void> {
  const draft = await writeDraft(dataDir, key);
  try {
    await link(draft, keyFileOf(dataDir));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    await rm(draft);
  }
  await syncFolder(dataDir);
}

async function syncFolder(dataDir: string): Promise<void> {
  await using folder = await open(dataDir);
  await folder.sync();
}
