import { chmod, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';

import type { Metadata } from '#server/domain/ports/metadata.ts';

/** Where the commits of an installation's deploys are cloned to, each into a folder named after its deploy and its lease. */
export function workFolder(dataDir: string): string {
  return join(dataDir, 'deploys', 'work');
}

/** Removes a folder, also where commands have left folders in it that may not be written to; answers whether it is gone. */
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

/** Removes what killed runners have left: the folders whose lease nobody holds. A folder is made under its lease, so that of a deploy just taken stays. */
export async function clearLostFolders({ read }: Pick<Metadata, 'read'>, dataDir: string): Promise<void> {
  for (const name of await readdir(workFolder(dataDir)).catch(() => [])) {
    const dash = name.indexOf('-');
    const deploy = await read.deploys.find(name.slice(0, dash));
    if (deploy?.lease?.id !== name.slice(dash + 1)) await clearFolder(join(workFolder(dataDir), name));
  }
}
