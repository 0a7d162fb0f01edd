import { Readable } from 'node:stream';

import type { BlobStore, ByteRange } from '../ports/blobs.ts';
import type { Content } from './contents-table.ts';

/**
 * Opens the bytes of a content, whole or in part. The first blob is open when this resolves, so a missing one is
 * noticed before a status line is sent. The stream opens the next blobs as it gets to them.
 */
export async function readContent(
  { blobs }: { readonly blobs: Pick<BlobStore, 'open'> },
  content: Content,
  range: ByteRange = { start: 0, end: content.sizeBytes - 1 },
): Promise<Readable> {
  const pieces: Array<() => Promise<Readable>> = [];
  let offset = 0;
  for (const blob of content.blobs) {
    const start = Math.max(range.start - offset, 0);
    const end = Math.min(range.end - offset, blob.sizeBytes - 1);
    offset += blob.sizeBytes;
    if (start > end) continue;
    const { inline, blobId } = blob;
    pieces.push(async () =>
      inline ? Readable.from([inline.subarray(start, end + 1)]) : blobs.open(blobId, { start, end }),
    );
  }
  const [openFirst, ...others] = pieces;
  if (!openFirst) return Readable.from([]);
  const first = await openFirst();
  if (others.length === 0) return first;
  const whole = Readable.from(concatenate(first, others), { objectMode: false });
  // If the stream is destroyed before it is read, the generator never starts, so nothing else closes the first blob.
  return whole.once('close', () => first.destroy());
}

/**
 * Opens the bytes of a content for a response. A content in its row is returned as bytes, because a stream of a few
 * kilobytes costs more than they do.
 */
export async function openContent(
  deps: Parameters<typeof readContent>[0],
  content: Content,
  range?: ByteRange,
): Promise<Readable | Uint8Array> {
  const [only, ...others] = content.blobs;
  if (!only?.inline || others.length > 0) return readContent(deps, content, range);
  return range ? only.inline.subarray(range.start, range.end + 1) : only.inline;
}

async function* concatenate(
  first: Readable,
  others: ReadonlyArray<() => Promise<Readable>>,
): AsyncGenerator<Uint8Array> {
  yield* first;
  for (const open of others) yield* await open();
}
