import type { Stats } from 'node:fs';
import { chmod, stat } from 'node:fs/promises';

/** Something that others could use, as it was. */
export interface Closed {
  readonly path: string;
  /** As `chmod` takes it, such as `0755`. */
  readonly was: string;
  /** What it still is, where the file system did not keep the new mode. */
  readonly mode: number | undefined;
}

/** Windows has no such modes: access lists say there who may do what. */
const hasModes = process.platform !== 'win32';

/** What is there, links followed; undefined when nothing is. */
export async function statOf(path: string): Promise<Stats | undefined> {
  try {
    return await stat(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

/**
 * Takes every right away that others than the owner have on a file or folder.
 *
 * @returns what was changed; undefined when there was nothing to change, or nothing is there
 * @throws what the system says when this user may not change it
 */
export async function closeToOthers(path: string): Promise<Closed | undefined> {
  const before = await statOf(path);
  if (!hasModes || !before || (before.mode & 0o077) === 0) return undefined;
  try {
    await chmod(path, before.isDirectory() ? 0o700 : before.mode & 0o600);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined; // removed meanwhile, as a log of SQLite's is
    throw error;
  }
  const after = await statOf(path);
  return {
    path,
    was: (before.mode & 0o7777).toString(8).padStart(4, '0'),
    mode: after && (after.mode & 0o077) !== 0 ? after.mode : undefined,
  };
}
