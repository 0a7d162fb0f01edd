import { dayMs } from '#server/domain/day.ts';

/** A chunked upload, its parts, and those of one account that are open. */
export const maxChunkedUploadBytes = 10_737_418_240;
export const maxParts = 2048;
export const maxOpenUploads = 32;

/**
 * Serial bytes are cut into parts of this size. Pieces below the smallest size of a whole part are merged until they
 * reach it, so that a file of 10 GiB has fewer than 2048 parts.
 */
export const cutPartBytes = 16 * 1_048_576;
export const leastCutPartBytes = 8 * 1_048_576;

/** The longest time for which serial bytes are only in memory, if their sender is slow. */
export const cutAfterMs = 10_000;

/** How long a newer request waits for an older one on the same upload to store what it has. */
export const writerHandoverMs = 10_000;

/** How long a closed upload is remembered. */
export const chunkedUploadKeptMs = dayMs;

/** Up to this size a completion always returns the file's SHA-256. */
export const maxHashedAtOnceBytes = 67_108_864;
