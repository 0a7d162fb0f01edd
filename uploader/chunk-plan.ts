/** Limits of the parts, as the server stated them when the upload started. */
interface ChunkLimits {
  readonly minSizeBytes: number;
  readonly maxSizeBytes: number;
  readonly maxParts: number;
}

/** One part of a file: the bytes from `startBytes` up to, but not including, `endBytes`. */
export interface Part {
  /** Starts at 1. */
  readonly number: number;
  readonly startBytes: number;
  readonly endBytes: number;
}

const mebibyte = 1_048_576;
const smallestWantedBytes = 8 * mebibyte;
const largestWantedBytes = 32 * mebibyte;
/**
 * Part sizes grow until a file has about this many parts. Fewer requests are cheap, and one lost part still costs
 * little.
 */
const wantedParts = 256;

/**
 * Returns the size of every part except the last: 8 MiB for files up to 2 GiB, growing to 32 MiB at 8 GiB.
 *
 * @param wantedBytes the caller's wish, clamped to the limits
 */
export function chunkSize(sizeBytes: number, limits: ChunkLimits, wantedBytes?: number): number {
  const grown = Math.ceil(sizeBytes / wantedParts / mebibyte) * mebibyte;
  const wanted = wantedBytes ?? Math.min(largestWantedBytes, Math.max(smallestWantedBytes, grown));
  const least = Math.max(limits.minSizeBytes, Math.ceil(sizeBytes / limits.maxParts));
  return Math.min(limits.maxSizeBytes, Math.max(least, wanted));
}

/** Returns all parts of a file in order. The last part holds the remainder. */
export function partsOf(sizeBytes: number, chunkSizeBytes: number): Part[] {
  return Array.from({ length: Math.ceil(sizeBytes / chunkSizeBytes) }, (_, index) => ({
    number: index + 1,
    startBytes: index * chunkSizeBytes,
    endBytes: Math.min(sizeBytes, (index + 1) * chunkSizeBytes),
  }));
}
