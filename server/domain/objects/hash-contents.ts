import { createHash } from 'node:crypto';

import type { BlobStore } from '../ports/blobs.ts';
import type { Metadata } from '../ports/metadata.ts';
import { readContent } from './read-content.ts';

interface Deps {
  readonly metadata: Metadata<'contents' | 'objects'>;
  readonly blobs: Pick<BlobStore, 'open'>;
  /** Aborted when the server stops: what is under way is begun again later. */
  readonly signal?: AbortSignal | undefined;
}

const batchSize = 100;

/**
 * Computes the SHA-256 of files that were stored without one, and writes it to all files with the same content. Answers
 * how many contents there were. When the bytes of one cannot be read, the others go on all the same. May run twice at once.
 *
 * @throws what the store said of the first one that it could not read
 */
export async function hashContents({ metadata, blobs, signal }: Deps): Promise<number> {
  let hashed = 0;
  let failure: { readonly error: unknown } | undefined;
  for (let last = ''; ;) {
    const batch = await metadata.read.objects.unhashed(last, batchSize);
    for (const contentId of batch) {
      if (signal?.aborted) return hashed;
      try {
        if (await hashContent({ metadata, blobs, signal }, contentId)) hashed++;
      } catch (error) {
        failure ??= { error };
      }
    }
    if (batch.length < batchSize) break;
    last = batch.at(-1)!;
  }
  if (failure && !signal?.aborted) throw failure.error;
  return hashed;
}

/** Answers false when nothing points to the content any more, or the server stops. */
async function hashContent({ metadata, blobs, signal }: Deps, contentId: string): Promise<boolean> {
  const content = await metadata.read.contents.find(contentId);
  if (!content) return false;
  const hash = createHash('sha256');
  try {
    for await (const chunk of await readContent({ blobs }, content)) {
      if (signal?.aborted) return false;
      hash.update(chunk);
    }
  } catch (error) {
    // The file was deleted while it was read.
    if (!(await metadata.read.contents.find(contentId))) return false;
    throw error;
  }
  const sha256 = hash.digest('hex');
  await metadata.atomically((tx) => tx.objects.setSha256(contentId, sha256));
  return true;
}
