import type { BlobReference, Content } from '../objects/contents-table.ts';
import type { StoredObject } from '../objects/object.ts';

/**
 * The parts that a file was made of, in order; undefined for one that came whole. They are numbered from 1, whatever
 * gaps their upload had.
 */
export function partsOfFile(
  { etag }: Pick<StoredObject, 'etag'>,
  { blobs }: Content,
): readonly BlobReference[] | undefined {
  // The ETag of a file of parts ends in how many they are.
  return etag.endsWith(`-${blobs.length}`) ? blobs : undefined;
}

/** Where a part lies in its file, both ends included; undefined when there is none of that number, or it is empty. */
export function rangeOfPart(
  parts: readonly BlobReference[],
  number: number,
): { readonly start: number; readonly end: number } | undefined {
  const part = parts[number - 1];
  if (!part || part.sizeBytes === 0) return undefined;
  const start = parts.slice(0, number - 1).reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
  return { start, end: start + part.sizeBytes - 1 };
}
