import type { Stats } from 'node:fs';
import { chmod, stat } from 'node:fs/promises';

/** A path that other users could use. */
export interface Closed {
  readonly path: string;
  /** Its mode before, such as `0755`. */
  readonly was: string;
  /** Its mode now, if the file system did not keep the new one. */
  readonly mode: number | undefined;
}

/** Windows has access lists instead of modes. */
const hasModes = process.platform !== 'win32';

/** Returns the facts about a file, after following links. Returns undefined when nothing is there. */
export function statOf(path: string): Promise<Stats | undefined> {
  return stat(path).catch(ifMissing);
}

/** For `catch()`: returns undefined when a file is missing, and throws every other error. */
export function ifMissing(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT') throw error;
}

/** Formats a mode as `chmod` takes it, such as `0755`. */
export function octal(mode: number): string {
  return (mode & 0o7777).toString(8).padStart(4, '0');
}

/**
 * Removes every right of other users on a file or folder.
 *
 * @returns what was changed, or undefined when nothing had to be changed or nothing is there
 * @throws the system's error when this user may not change it
 */
export async function closeToOthers(path: string): Promise<Closed | undefined> {
  const before = await statOf(path);
  if (!hasModes || !before || (before.mode & 0o077) === 0) return undefined;
  // SQLite may have removed one of its files in between.
  await chmod(path, before.isDirectory() ? 0o700 : before.mode & 0o600).catch(ifMissing);
  const after = await statOf(path);
  return after && { path, was: octal(before.mode), mode: (after.mode & 0o077) === 0 ? undefined : after.mode };
}
