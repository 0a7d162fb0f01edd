import { nextTurn } from '../next-turn.ts';
import type { BlobReference } from '../objects/contents-table.ts';
import { BlobMissing } from '../ports/blobs.ts';
import type { StoredPart } from './chunked-upload.ts';
import type { ChunkedUploadsReader } from './table.ts';

/** How many rows are read before others have their turn. */
const partsAtOnce = 1000;

/** All parts of an upload by number, read in steps: it may change between them, which its revision tells. */
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
 * The blob of a part, with its bytes where its row holds them. @throws BlobMissing when another part has taken its
 * place
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
