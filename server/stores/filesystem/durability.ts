import { open, type FileHandle } from 'node:fs/promises';
import { dirname } from 'node:path';

import { makeFolder } from '#server/stores/make-folder.ts';

/** The steps that make bytes and names survive a power cut. Without them they wait in the kernel's cache. */
export interface Durability {
  /** Resolves once the file's bytes are on the disk. */
  file(handle: FileHandle): Promise<void>;
  /** Resolves once the folder's names (created, renamed, removed) are on the disk. */
  folder(path: string): Promise<void>;
}

/** `sync: false` leaves out both steps. Only a test of durability needs that. */
export function durability(sync: boolean): Durability {
  if (!sync) return { file: async () => {}, folder: async () => {} };
  return {
    file: (handle) => handle.sync(),
    async folder(path) {
      await using handle = await open(path, 'r');
      await handle.sync();
    },
  };
}

/** Creates a folder and its missing parents. All of them are on the disk when it resolves. */
export async function makeFolders(path: string, durable: Durability): Promise<void> {
  const topmost = await makeFolder(path);
  // An earlier process may have ended between the two steps.
  if (topmost === undefined) return durable.folder(dirname(path));
  for (let made = path; ; made = dirname(made)) {
    await durable.folder(dirname(made));
    if (made === topmost) return;
  }
}
