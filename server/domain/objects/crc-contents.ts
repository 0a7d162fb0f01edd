import { crc32 } from 'node:zlib';

import { nextTurn } from '#server/event-loop.ts';
import { combineCrc32s } from '../checksums/combine-crcs.ts';
import type { BlobStore } from '../ports/blobs.ts';
import type { Metadata } from '../ports/metadata.ts';
import type { Content } from './contents-table.ts';
import { readContent } from './read-content.ts';

interface Deps {
  readonly metadata: Metadata<'contents'>;
  readonly blobs: Pick<BlobStore, 'open' | 'openInline'>;
  /** Aborted when the server stops. */
  readonly signal?: AbortSignal | undefined;
}

const batchSize = 100;

/** A run of the job ends after this time, because other jobs wait for it. The next one goes on. */
const longestRunMs = 60_000;

/** After this many bytes the job rests for as long as they took, so it reads at half speed at most. */
const bytesAtOnce = 8 * 1024 * 1024;

/**
 * Computes the CRC-32 of contents that were stored without one, by versions before this. Returns how many it computed.
 * It ends after a minute, and the next run continues. A content that cannot be read does not stop the others. Two runs
 * may overlap.
 *
 * @throws the store's error about the first content that it could not read, at the end
 */
export async function crcContents({ metadata, blobs, signal }: Deps): Promise<number> {
  const endsAt = performance.now() + longestRunMs;
  const isOver = () => (signal?.aborted ?? false) || performance.now() > endsAt;
  let failure: { readonly error: unknown } | undefined;
  let done = 0;
  for (let last: string | undefined = ''; last !== undefined && !isOver();) {
    const contentIds: string[] = await metadata.read.contents.withoutCrc32(last, batchSize);
    for (const contentId of contentIds) {
      if (isOver()) break;
      try {
        if ((await crcContent({ metadata, blobs, signal }, contentId, rest)) !== undefined) done++;
      } catch (error) {
        failure ??= { error };
      }
    }
    last = contentIds.length < batchSize ? undefined : contentIds.at(-1);
  }
  if (failure && !signal?.aborted) throw failure.error;
  return done;
}

function rest(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

/**
 * Computes and stores the CRC-32 of one content, and returns it. Bytes are read only if the checksum of a blob is not
 * known. Returns undefined if nothing points to the content any more, or the server stops.
 *
 * @param pause is called between steps of reading with the time that the step took
 */
export async function crcContent(
  deps: Deps,
  contentId: string,
  pause: (ms: number) => Promise<void> = nextTurn,
): Promise<number | undefined> {
  const { metadata } = deps;
  const content = await metadata.read.contents.find(contentId);
  if (!content) return undefined;
  const known = knownSums(content);
  const sum = known ? await combineCrc32s(known) : await readSum(deps, content, pause);
  if (sum !== undefined) await metadata.atomically((tx) => tx.contents.setCrc32(contentId, sum));
  return sum;
}

/** Returns the checksum of each blob, if all are known: from its upload, or because the client has sent it. */
function knownSums({
  blobs,
}: Content): ReadonlyArray<{ readonly sizeBytes: number; readonly crc32: number }> | undefined {
  const known = blobs.flatMap(({ sizeBytes, crc32: kept, checksum }) => {
    const sent = checksum?.algorithm === 'CRC32' ? Buffer.from(checksum.value, 'base64').readUInt32BE() : undefined;
    const sum = kept ?? sent;
    return sum === undefined ? [] : [{ sizeBytes, crc32: sum }];
  });
  return known.length === blobs.length ? known : undefined;
}

async function readSum(
  { metadata, blobs, signal }: Deps,
  content: Content,
  pause: (ms: number) => Promise<void>,
): Promise<number | undefined> {
  let sum = 0;
  let [bytes, since] = [0, performance.now()];
  try {
    for await (const chunk of (await readContent({ blobs }, content)) as AsyncIterable<Uint8Array>) {
      if (signal?.aborted) return undefined;
      sum = crc32(chunk, sum);
      bytes += chunk.length;
      if (bytes < bytesAtOnce) continue;
      await pause(performance.now() - since);
      [bytes, since] = [0, performance.now()];
    }
    return sum;
  } catch (error) {
    // The file was deleted while it was read.
    if (!(await metadata.read.contents.find(content.id))) return undefined;
    throw error;
  }
}
