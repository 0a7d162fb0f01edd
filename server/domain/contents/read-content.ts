import { Readable } from 'node:stream';

import { rootIdOf } from '../blob-id.ts';
import type { BlobStore, ByteRange } from '../ports/blobs.ts';
import type { Content } from './table.ts';

/** The ports that reading bytes needs. */
export interface ReadDeps {
  readonly blobs: Pick<BlobStore, 'open' | 'openInline'>;
}

/**
 * Opens the bytes of a content, whole or in part. The first blob is open when this resolves, so a missing one is
 * noticed before a status line is sent. The stream opens the next blobs as it gets to them.
 */
export async function readContent(
  { blobs }: ReadDeps,
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
      inline
        ? Readable.from([(await inlineBytes(blobs, blobId, inline)).subarray(start, end + 1)])
        : blobs.open(blobId, { start, end }),
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
export async function openContent(deps: ReadDeps, content: Content, range?: ByteRange): Promise<Readable | Uint8Array> {
  const [only, ...others] = content.blobs;
  if (!only?.inline || others.length > 0) return readContent(deps, content, range);
  const bytes = await inlineBytes(deps.blobs, only.blobId, only.inline);
  return range ? bytes.subarray(range.start, range.end + 1) : bytes;
}

/** Returns the bytes of a row, which are encrypted if the id of their blob says so. */
export async function inlineBytes(
  blobs: Pick<BlobStore, 'openInline'>,
  blobId: string,
  kept: Uint8Array,
): Promise<Uint8Array> {
  if (rootIdOf(blobId) === undefined) return kept;
  if (!blobs.openInline) throw new Error(`The store cannot decrypt the blob ${blobId}.`);
  return blobs.openInline(blobId, kept);
}

async function* concatenate(
  first: Readable,
  others: ReadonlyArray<() => Promise<Readable>>,
): AsyncGenerator<Uint8Array> {
  yield* first;
  for (const open of others) yield* await open();
}
