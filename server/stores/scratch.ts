import { mkdir, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';

import { SqliteBlobIndex } from './backup/sqlite-blob-index.ts';
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

/** Makes a folder like {@link scratchIn}, and in it the index of a backup. Both are gone with `opening`. */
export async function scratchIndexIn(
  opening: AsyncDisposableStack,
  folder: string,
  kind: 'backup' | 'repair' | 'restore',
): Promise<{ readonly scratch: string; readonly index: SqliteBlobIndex }> {
  const scratch = opening.adopt(await scratchIn(folder, kind), (path) => rm(path, { recursive: true, force: true }));
  const index = opening.adopt(await SqliteBlobIndex.open(join(scratch, 'index.db')), (one) => one.close());
  return { scratch, index };
}
