import { chmod, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';

import type { Metadata } from '#server/domain/ports/metadata.ts';

/** Returns the folder for clones. Each deploy gets a subfolder named after its id and its lease. */
export function workFolder(dataDir: string): string {
  return join(dataDir, 'deploys', 'work');
}

/** Removes a folder, even if commands left read-only folders in it. Returns whether it is gone. */
export async function clearFolder(folder: string): Promise<boolean> {
  const removed = () =>
    rm(folder, { recursive: true, force: true }).then(
      () => true,
      () => false,
    );
  if (await removed()) return true;
  await openFolders(folder);
  return removed();
}

async function openFolders(folder: string): Promise<void> {
  await chmod(folder, 0o700).catch(() => {});
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  for (const entry of entries) if (entry.isDirectory()) await openFolders(join(folder, entry.name));
}

/**
 * Removes the folders of killed runners, whose lease nobody holds. A folder is created under its lease, so the folder
 * of a deploy just taken stays.
 */
export async function clearLostFolders({ read }: Pick<Metadata, 'read'>, dataDir: string): Promise<void> {
  for (const name of await readdir(workFolder(dataDir)).catch(() => [])) {
    const dash = name.indexOf('-');
    const deploy = await read.deploys.find(name.slice(0, dash));
    if (deploy?.lease?.id !== name.slice(dash + 1)) await clearFolder(join(workFolder(dataDir), name));
  }
}
