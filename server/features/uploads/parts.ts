import { createHash } from 'node:crypto';

import { minPartBytes, minUploadBytes } from '#server/domain/limits.ts';
import { maxParts } from './limits.ts';
import { nextTurn } from '#server/event-loop.ts';
import type { BlobReference } from '#server/domain/contents/table.ts';
import { BlobMissing } from '#server/domain/ports/blobs.ts';
import { Refusal } from '#server/domain/refusal.ts';
import type { StoredPart } from './chunked-upload.ts';
import type { ChunkedUploadsReader } from './table.ts';

/** Rows that are read before other work gets a turn. */
const partsAtOnce = 1000;

/**
 * Reads all parts of an upload, ordered by number. It reads in steps. The upload's revision shows whether it changed
 * between them.
 */
export async function allParts(
  uploads: Pick<ChunkedUploadsReader, 'partsOf'>,
  uploadId: string,
): Promise<StoredPart[]> {
  const parts: StoredPart[] = [];
  for (;;) {
    const more = await uploads.partsOf(uploadId, parts.at(-1)?.part ?? 0, partsAtOnce);
    for (const part of more) parts.push(part);
    if (more.length < partsAtOnce) return parts;
    await nextTurn();
  }
}

/**
 * Returns the blob of a part, with its bytes if its row holds them.
 *
 * @throws BlobMissing if another part has taken its place
 */
export async function blobOf(
  uploads: Pick<ChunkedUploadsReader, 'part'>,
  uploadId: string,
  { part, sequence, blob: { isInline, ...blob } }: StoredPart,
): Promise<BlobReference> {
  if (!isInline) return { ...blob, inline: null };
  const found = await uploads.part(uploadId, part);
  if (found?.sequence !== sequence) throw new BlobMissing(blob.blobId, undefined);
  return found.blob;
}

/**
 * Checks that the parts make a whole file, and returns them, ordered by number.
 *
 * @param hasLeastSize whether the file must have the least size of an upload
 * @throws NO_CHUNKS_UPLOADED, INVALID_CHUNK_PART with the first gap, CHUNK_TOO_SMALL, FILE_TOO_SMALL
 */
export function checkParts(parts: readonly StoredPart[], hasLeastSize = true): readonly StoredPart[] {
  if (parts.length === 0) throw new Refusal('NO_CHUNKS_UPLOADED');
  const gap = firstGap(parts);
  if (gap <= parts.at(-1)!.part)
    throw new Refusal('INVALID_CHUNK_PART', {
      message: `Parts are numbered from 1 to ${maxParts} without a gap. Part ${gap} is missing.`,
    });
  const small = tooSmall(parts);
  if (small)
    throw new Refusal('CHUNK_TOO_SMALL', {
      message:
        `Every part but the last takes at least ${minPartBytes} bytes (5 MiB). Part ${small.part} has ` +
        `${small.blob.sizeBytes} bytes.`,
    });
  if (hasLeastSize && bytesOf(parts) < minUploadBytes)
    throw new Refusal('FILE_TOO_SMALL', { detail: `All parts together have ${bytesOf(parts)}.` });
  return parts;
}

/** Returns the first part, other than the last, that is smaller than 5 MiB and that the server did not cut itself. */
export function tooSmall(parts: readonly StoredPart[]): StoredPart | undefined {
  return parts.slice(0, -1).find(({ blob, isCut }) => !isCut && blob.sizeBytes < minPartBytes);
}

/** Returns the lowest number that no part has. */
export function firstGap(parts: readonly StoredPart[]): number {
  const index = parts.findIndex(({ part }, at) => part !== at + 1);
  return index === -1 ? parts.length + 1 : index + 1;
}

export function bytesOf(parts: readonly StoredPart[]): number {
  return parts.reduce((sum, { blob }) => sum + blob.sizeBytes, 0);
}

/** Whether each part came after those before it. */
export function cameInOrder(parts: readonly StoredPart[]): boolean {
  return parts.every(({ sequence }, at) => at === 0 || sequence > parts[at - 1]!.sequence);
}

/**
 * Returns the ETag of a file of parts, as clients compute it: the MD5 of the parts' MD5s, a dash, and the number of
 * parts.
 */
export function etagOf(parts: readonly StoredPart[]): string {
  const md5 = createHash('md5');
  for (const part of parts) md5.update(part.md5, 'hex');
  return `${md5.digest('hex')}-${parts.length}`;
}
