import { open, rename } from 'node:fs/promises';
import { dirname } from 'node:path';

import type { Durability } from './durability.ts';

/** The ending of a file that is not whole yet. */
export const draftSuffix = '.tmp';

/**
 * Writes a small file, in place of one of this name. A reader finds the old file or the new one, also after a kill or a
 * power cut. A kill may leave a draft, which the next call for this path replaces.
 */
export async function replaceFile(path: string, bytes: Uint8Array, durable: Durability): Promise<void> {
  const draft = `${path}${draftSuffix}`;
  {
    await using handle = await open(draft, 'w', 0o600);
    await handle.writeFile(bytes);
    await durable.file(handle);
  }
  await rename(draft, path);
  await durable.folder(dirname(path));
}
