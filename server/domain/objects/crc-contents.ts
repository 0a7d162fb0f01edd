import { crc32 } from 'node:zlib';

import { nextTurn } from '#server/event-loop.ts';
import { combineCrc32s } from '../checksums/combine-crcs.ts';
import { sweep } from '../sweep.ts';
import type { BlobStore } from '../ports/blobs.ts';
import type { Metadata } from '../ports/metadata.ts';
import { readContent } from './read-content.ts';

interface Deps {
  readonly metadata: Metadata<'contents'>;
  readonly blobs: Pick<BlobStore, 'open' | 'openInline'>;
  /** Aborted when the server stops. */
  readonly signal?: AbortSignal | undefined;
}

const batchSize = 100;

/** Bytes that are read before other work gets a rest of the same length. So old files are read at half speed. */
const bytesAtOnce = 8 * 1024 * 1024;

/**
 * Computes the CRC-32 of contents that were stored without one, by versions before this. Returns how many there were. A
 * content that cannot be read does not stop the others. If it is cut off, the next run continues. Two runs may overlap.
 *
 * @throws the store's error about the first content that it could not read, at the end
 */
export async function crcContents({ metadata, blobs, signal }: Deps): Promise<number> {
  let failure: { readonly error: unknown } | undefined;
  let last = '';
  const done = await sweep(
    batchSize,
    async (limit) => (signal?.aborted ? [] : metadata.read.contents.withoutCrc32(last, limit)),
    async (contentIds) => {
      let count = 0;
      for (const contentId of contentIds) {
        if (signal?.aborted) break;
        try {
          if ((await crcContent({ metadata, blobs, signal }, contentId, rest)) !== undefined) count++;
        } catch (error) {
          failure ??= { error };
        }
      }
      last = contentIds.at(-1)!;
      return count;
    },
  );
  if (failure && !signal?.aborted) throw failure.error;
  return done;
}

function rest(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

/**
 * Computes and stores the CRC-32 of one content, and returns it. The sums of its blobs are combined if all are known.
 * Returns undefined if nothing points to the content any more, or the server stops.
 *
 * @param pause is called between steps of reading with the time that the step took
 */
export async function crcContent(
  { metadata, blobs, signal }: Deps,
  contentId: string,
  pause: (ms: number) => Promise<void> = nextTurn,
): Promise<number | undefined> {
  const content = await metadata.read.contents.find(contentId);
  if (!content) return undefined;
  const known = content.blobs.flatMap(({ sizeBytes, crc32: sum }) =>
    sum === undefined ? [] : [{ sizeBytes, crc32: sum }],
  );
  let sum = known.length === content.blobs.length ? await combineCrc32s(known) : undefined;
  if (sum === undefined) {
    sum = 0;
    let [bytes, since] = [0, performance.now()];
    try {
      for await (const chunk of await readContent({ blobs }, content)) {
        if (signal?.aborted) return undefined;
        sum = crc32(chunk as Uint8Array, sum);
        bytes += (chunk as Uint8Array).length;
        if (bytes < bytesAtOnce) continue;
        await pause(performance.now() - since);
        [bytes, since] = [0, performance.now()];
      }
    } catch (error) {
      // The file was deleted while it was read.
      if (!(await metadata.read.contents.find(contentId))) return undefined;
      throw error;
    }
  }
  const computed = sum;
  await metadata.atomically((tx) => tx.contents.setCrc32(contentId, computed));
  return computed;
}
