import { constants, type Stats } from 'node:fs';
import { access, readdir, writeFile } from 'node:fs/promises';
import { userInfo } from 'node:os';
import { join } from 'node:path';

import { NeedsChange } from '#server/needs-change.ts';
import { makeFolder } from '#server/stores/make-folder.ts';
import { closeToOthers, octal, statOf, type Closed } from './private-modes.ts';

/** The data folder cannot be used as it is. The message is one line for the operator. */
export class DataFolderUnusable extends NeedsChange {
  override readonly name = 'DataFolderUnusable';
}

/** The disk has no space to begin with. This may pass by itself. */
export class DataFolderFull extends Error {
  override readonly name = 'DataFolderFull';
}

/** Files that the first start creates, because SQLite would create them with mode 0644. */
const madeFirst = ['cubby.db', 'server.lock'];

/** A folder of a feature in the data folder. */
export interface DataFolder {
  readonly name: string;
  /** Whether what lies directly in it is closed to others too. What a command puts deeper keeps its modes. */
  readonly closesFiles?: true;
}

/** The names of the core in a data folder. */
const coreNames = [...madeFirst, 'master.key', 'clock.json', 'server.json', 'blobs', 'disk-reserve', 'scratch'];

/**
 * Creates the data folder when it is missing, and removes the rights of other users. Reads no contents. Call it before
 * anything in the folder is opened. It may be called again, and beside a running server.
 *
 * @param ofFeatures the folders of features, switched off or not
 * @returns the paths that other users of the machine could use until now
 * @throws {DataFolderUnusable} when the folder or something in it cannot be read, written or closed to other users
 * @throws {DataFolderFull}
 */
export async function prepareDataFolder(dataDir: string, ofFeatures: readonly DataFolder[]): Promise<Closed[]> {
  const isOwn = ownNames([...coreNames, ...ofFeatures.map(({ name }) => name)]);
  await makeFolder(dataDir).catch((error: unknown) =>
    refuse(`The data folder ${dataDir} cannot be made`, dataDir, dataDir, error),
  );
  await requireAccess(dataDir, dataDir, 'The data folder', constants.R_OK | constants.W_OK | constants.X_OK);
  const names = await readdir(dataDir);
  await refuseForeign(
    dataDir,
    names.filter((name) => !isOwn(name)),
  );
  const closed = await closing(dataDir, dataDir);
  for (const name of madeFirst) await makeEmpty(dataDir, join(dataDir, name));
  for (const name of names.filter(isOwn)) {
    const path = join(dataDir, name);
    const found = await statOf(path);
    if (!found) continue;
    await requireAccess(
      dataDir,
      path,
      found.isDirectory() ? 'The folder' : 'The file',
      constants.R_OK | constants.W_OK | (found.isDirectory() ? constants.X_OK : 0),
    );
    closed.push(...(await closing(dataDir, path)));
  }
  closed.push(...(await closeInside(dataDir, 'blobs', (found) => found.isDirectory())));
  for (const { name, closesFiles } of ofFeatures)
    if (closesFiles) closed.push(...(await closeInside(dataDir, name, () => true)));
  return closed;
}

/**
 * Rejects a folder that is open to others and holds foreign files, such as a home or `/tmp`: closing it would lock
 * others out.
 * @throws {DataFolderUnusable}
 */
async function refuseForeign(dataDir: string, others: readonly string[]): Promise<void> {
  const { mode } = (await statOf(dataDir))!;
  const foreign = others.filter((name) => !name.startsWith('.') && name !== 'lost+found');
  if ((mode & 0o077) === 0 || foreign.length === 0) return;
  const some = foreign.slice(0, 3).join(', ') + (foreign.length > 3 ? ' …' : '');
  throw new DataFolderUnusable(
    `The data folder ${dataDir} is open to other users of this machine (mode ${octal(mode)}) and holds things ` +
      `that are not Cubby's (${some}). ` +
      `Set CUBBY_DATA_DIR to a folder for Cubby alone, or close this one: chmod 700 ${dataDir}`,
  );
}

/** Returns whether a name is Cubby's. Names that continue one of Cubby's with a dot or a hyphen are Cubby's too. */
function ownNames(own: readonly string[]): (name: string) => boolean {
  return (name) => own.some((one) => name === one || name.startsWith(`${one}.`) || name.startsWith(`${one}-`));
}

async function closeInside(dataDir: string, name: string, chosen: (found: Stats) => boolean): Promise<Closed[]> {
  const folder = join(dataDir, name);
  const closed: Closed[] = [];
  const names = await readdir(folder).catch((error: NodeJS.ErrnoException) =>
    error.code === 'ENOENT' ? [] : refuse(`The folder ${folder} cannot be read`, dataDir, folder, error),
  );
  for (const one of names) {
    const path = join(folder, one);
    const found = await statOf(path);
    if (found && chosen(found)) closed.push(...(await closing(dataDir, path)));
  }
  return closed;
}

/**
 * Removes the rights of other users on a path.
 *
 * @throws {DataFolderUnusable}
 */
async function closing(dataDir: string, path: string): Promise<Closed[]> {
  const closed = await closeToOthers(path).catch((error: unknown) =>
    refuse(`${path} is open to other users of this machine, and that cannot be changed`, dataDir, path, error),
  );
  if (closed && closed.mode !== undefined) {
    throw new DataFolderUnusable(
      `${path} is open to other users of this machine (mode ${octal(closed.mode)}), and its file system does not ` +
        'keep modes. ' +
        'Set CUBBY_DATA_DIR to a folder on a disk that does, or mount this one with umask=077.',
    );
  }
  return closed ? [closed] : [];
}

async function makeEmpty(dataDir: string, path: string): Promise<void> {
  if (await statOf(path)) return;
  await writeFile(path, '', { flag: 'a', mode: 0o600 }).catch((error: unknown) =>
    refuse(`The file ${path} cannot be made`, dataDir, path, error),
  );
}

/**
 * Checks that this user may use a path. A file that is gone is fine: SQLite removes its own when the last process
 * closes the database.
 *
 * @throws {DataFolderUnusable}
 */
async function requireAccess(dataDir: string, path: string, what: string, mode: number): Promise<void> {
  await access(path, mode).catch((error: NodeJS.ErrnoException) =>
    error.code === 'ENOENT' ? undefined : refuse(`${what} ${path} cannot be read and written`, dataDir, path, error),
  );
}

async function refuse(problem: string, dataDir: string, path: string, error: unknown): Promise<never> {
  const { code } = error as NodeJS.ErrnoException;
  if (code === 'ENOSPC' || code === 'EDQUOT')
    throw new DataFolderFull(
      `${problem}: the disk is full. Free some space on it, then start again, or set CUBBY_DATA_DIR to a folder on ` +
        'another disk.',
    );
  throw new DataFolderUnusable(`${problem}: ${await reasonOf(dataDir, path, error)}`);
}

const anotherFolder = 'Set CUBBY_DATA_DIR to a folder on a disk of this machine.';

/** Returns the reason of a system error, and what to do about it. */
async function reasonOf(dataDir: string, path: string, error: unknown): Promise<string> {
  const { code, message } = error as NodeJS.ErrnoException;
  switch (code) {
    case 'EACCES':
    case 'EPERM':
      if (process.getuid?.() === 0) return `the system forbids it, even to root. ${anotherFolder}`;
      return (
        `${await ownerOf(path)} Set CUBBY_DATA_DIR to another folder, run Cubby as the folder's owner, or give all ` +
        `of it to this user: chown -R ${thisUser()} ${dataDir}`
      );
    case 'EROFS':
      return (
        'the file system is mounted read-only. Mount it for writing (mount -o remount,rw), or set CUBBY_DATA_DIR ' +
        'to another folder.'
      );
    case 'ENOENT':
      return `its file system takes no new folders. ${anotherFolder}`;
    case 'ENOTDIR':
      return `a part of this path is a file. ${anotherFolder}`;
    case 'EEXIST':
      return `something with this name is there that is no folder, such as a link to nothing. ${anotherFolder}`;
    default:
      return `${message}. ${anotherFolder}`;
  }
}

async function ownerOf(path: string): Promise<string> {
  const found = await statOf(path).catch(() => undefined);
  if (!found) return `this is run by ${thisUser()}, who may not.`;
  return (
    `it belongs to the user with the id ${found.uid} (mode ${octal(found.mode)}), and this is run ` +
    `by ${thisUser()}.`
  );
}

function thisUser(): string {
  try {
    return userInfo().username;
  } catch {
    return String(process.getuid?.() ?? 'another user'); // one without an entry in /etc/passwd
  }
}
