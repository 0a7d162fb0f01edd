import { mkdir, stat } from 'node:fs/promises';
import { dirname } from 'node:path';

/**
 * Creates a folder and its missing parents, for this user only. Returns the topmost one that it created, or undefined
 * if the folder was there.
 *
 * Node's `recursive` does the same, but never ends in a file system that reports ENOENT for a new folder, as /proc
 * does.
 *
 * @throws the error of the system
 */
export async function makeFolder(path: string): Promise<string | undefined> {
  try {
    await mkdir(path, { mode: 0o700 });
    return path;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (await isFolder(path)) return undefined;
    const parent = dirname(path);
    if (code !== 'ENOENT' || parent === path || (await isFolder(parent))) throw error;
    const topmost = await makeFolder(parent);
    const made = await makeFolder(path);
    return topmost ?? made;
  }
}

async function isFolder(path: string): Promise<boolean> {
  return stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  );
}
