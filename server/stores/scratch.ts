import { mkdir, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';

import { isRunning } from './is-running.ts';

const nameForm = /^scratch-[a-z]+-(\d+)$/;

/**
 * Makes a folder for files of this process that are gone after its work. They may hold the whole database. Removes
 * those that killed processes of this machine have left.
 *
 * @param kind of the work, because a process may do several at once
 */
export async function scratchIn(folder: string, kind: 'backup' | 'repair' | 'restore' | 'trial'): Promise<string> {
  const path = join(folder, `scratch-${kind}-${process.pid}`);
  await rm(path, { recursive: true, force: true });
  for (const name of await readdir(folder)) {
    const pid = nameForm.exec(name)?.[1];
    if (pid !== undefined && !isRunning(Number(pid))) await rm(join(folder, name), { recursive: true, force: true });
  }
  await mkdir(path, { mode: 0o700 });
  return path;
}
