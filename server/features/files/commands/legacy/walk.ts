import { isUtf8 } from 'node:buffer';
import type { Dirent } from 'node:fs';
import { lstat, readdir } from 'node:fs/promises';
import { join } from 'node:path';

import { messageOf } from '#server/cli/operator.ts';

/** An entry of a folder. `key` is its path from there, joined by `/`. */
export type Found =
  | { readonly kind: 'file'; readonly key: string; readonly path: string; readonly sizeBytes: number }
  /** Neither a file nor a folder. */
  | { readonly kind: 'other'; readonly key: string; readonly reason: string }
  | { readonly kind: 'failed'; readonly key: string; readonly reason: string };

/** Lists everything below a folder, sorted by name. Reports links and never follows them. */
export async function* walk(folder: string, prefix = ''): AsyncGenerator<Found> {
  let entries: Array<Dirent<Buffer>>;
  try {
    entries = await readdir(folder, { withFileTypes: true, encoding: 'buffer' });
  } catch (error) {
    yield { kind: 'failed', key: prefix, reason: messageOf(error) };
    return;
  }
  entries.sort((a, b) => a.name.compare(b.name));
  for (const entry of entries) {
    const name = entry.name.toString();
    const key = prefix + name;
    const path = join(folder, name);
    if (!isUtf8(entry.name)) yield { kind: 'failed', key, reason: 'The name is not UTF-8.' };
    else if (entry.isDirectory()) yield* walk(path, `${key}/`);
    else if (entry.isFile()) yield await fileAt(key, path);
    else yield { kind: 'other', key, reason: entry.isSymbolicLink() ? 'a symbolic link' : 'not a regular file' };
  }
}

async function fileAt(key: string, path: string): Promise<Found> {
  try {
    return { kind: 'file', key, path, sizeBytes: (await lstat(path)).size };
  } catch (error) {
    return { kind: 'failed', key, reason: messageOf(error) };
  }
}
