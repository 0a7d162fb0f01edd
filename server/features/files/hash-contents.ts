import { createHash } from 'node:crypto';

import type { BlobStore } from '#server/domain/ports/blobs.ts';
import type { Metadata } from '#server/domain/ports/metadata.ts';
import { readContent } from '#server/domain/contents/read-content.ts';
import { sweep } from '#server/domain/sweep.ts';

interface Deps {
  readonly metadata: Metadata<'contents' | 'objects'>;
  readonly blobs: Pick<BlobStore, 'open' | 'openInline'>;
  /** Aborted when the server stops. The content that is being hashed is read again later. */
  readonly signal?: AbortSignal | undefined;
}

const batchSize = 100;

/**
 * Computes the SHA-256 of files that were stored without one, and writes it to all files with the same content. Returns
 * how many contents there were. A content that cannot be read does not stop the others. Two runs may overlap.
 *
 * @throws the store's error about the first content that it could not read, at the end
 */
export async function hashContents({ metadata, blobs, signal }: Deps): Promise<number> {
  let failure: { readonly error: unknown } | undefined;
  let last = '';
  const hashed = await sweep(
    batchSize,
    async (limit) => (signal?.aborted ? [] : metadata.read.objects.unhashed(last, limit)),
    async (contentIds) => {
      let count = 0;
      for (const contentId of contentIds) {
        if (signal?.aborted) break;
        try {
          if (await hashContent({ metadata, blobs, signal }, contentId)) count++;
        } catch (error) {
          failure ??= { error };
        }
      }
      last = contentIds.at(-1)!;
      return count;
    },
  );
  if (failure && !signal?.aborted) throw failure.error;
  return hashed;
}

/**
 * Computes and stores the SHA-256 of one content. Returns false if nothing points to the content any more, or the
 * server stops.
 */
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
