import { rootIdOf } from '#server/domain/blob-id.ts';

/**
 * Bytes of a segment before it is encrypted. All segments of a blob but the last have exactly this size. The last one
 * is shorter, perhaps empty.
 *
 * @see DECISIONS, "Data keys follow from the id of the blob"
 */
export const segmentBytes = 64 * 1024;

/** Bytes that AES-GCM adds to a segment. */
export const tagBytes = 16;

export const sealedSegmentBytes = segmentBytes + tagBytes;

/** Returns the size that an encrypted blob of `sizeBytes` has in a store. */
export function sealedSize(sizeBytes: number): number {
  return sizeBytes + tagBytes * (Math.floor(sizeBytes / segmentBytes) + 1);
}

/**
 * Returns the size of an encrypted blob from its size in a store. For a size that is impossible, because the blob was
 * cut, it returns less than the blob had.
 */
export function openedSize(sealedBytes: number): number {
  return sealedBytes - tagBytes * (Math.floor(sealedBytes / sealedSegmentBytes) + 1);
}

/** Returns how many bytes a store keeps for a blob of a size. */
export function storedSize(blobId: string, sizeBytes: number): number {
  return rootIdOf(blobId) === undefined ? sizeBytes : sealedSize(sizeBytes);
}
