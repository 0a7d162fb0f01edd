import { mkdir, open, type FileHandle } from 'node:fs/promises';
import { dirname } from 'node:path';

/** The steps that make bytes and names survive a power cut; without them they wait in the kernel's cache. */
export interface Durability {
  /** Resolves once what was written to the file is on the disk. */
  file(handle: FileHandle): Promise<void>;
  /** Resolves once the names in the folder (made, renamed, removed) are on the disk. */
  folder(path: string): Promise<void>;
}

/** `sync: false` takes both steps out; only for the test that proves that it notices. */
export function durability(sync: boolean): Durability {
  if (!sync) return { file: async () => {}, folder: async () => {} };
  return {
    file: (handle) => handle.sync(),
    async folder(path) {
      const handle = await open(path, 'r');
      try {
        await handle.sync();
      } finally {
        await handle.close();
      }
    },
  };
}

/** Makes a folder and those above it as far as they are missing; all of them are on the disk when it resolves. */
export async function makeFolders(path: string, durable: Durability): Promise<void> {
  const topmost = await mkdir(path, { recursive: true, mode: 0o700 });
  if (topmost === undefined) return durable.folder(dirname(path)); // an earlier process may have died between the two steps
  for (let made = path; ; made = dirname(made)) {
    await durable.folder(dirname(made));
    if (made === topmost) return;
  }
}
