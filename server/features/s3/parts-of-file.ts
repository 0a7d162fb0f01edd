import type { BlobReference, Content } from '#server/domain/contents/table.ts';
import type { StoredObject } from '#server/features/files/object.ts';

/**
 * Returns the parts that a file was made of, in order, or undefined for a file that was uploaded whole. They are
 * numbered from 1 without a gap, even if their upload had gaps.
 */
export function partsOfFile(
  { etag }: Pick<StoredObject, 'etag'>,
  { blobs }: Content,
): readonly BlobReference[] | undefined {
  // The ETag of a file of parts ends in their number.
  return etag.endsWith(`-${blobs.length}`) ? blobs : undefined;
}

/**
 * Returns the range of a part in its file, both ends included. Undefined if no part has that number, or it is empty.
 */
export function rangeOfPart(
  parts: readonly BlobReference[],
  number: number,
): { readonly start: number; readonly end: number } | undefined {
  const part = parts[number - 1];
  if (!part || part.sizeBytes === 0) return undefined;
  const start = parts.slice(0, number - 1).reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
  return { start, end: start + part.sizeBytes - 1 };
}
