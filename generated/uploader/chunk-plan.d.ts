// Made from uploader/ by `npm run generate`. Never edit it by hand.
/** Limits of the parts, as the server stated them when the upload started. */
export interface ChunkLimits {
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
/**
 * Returns the size of every part except the last: 8 MiB for files up to 2 GiB, growing to 32 MiB at 8 GiB.
 *
 * @param wantedBytes the caller's wish, clamped to the limits
 */
export declare function chunkSize(sizeBytes: number, limits: ChunkLimits, wantedBytes?: number): number;
/** Returns all parts of a file in order. The last part holds the remainder. */
export declare function partsOf(sizeBytes: number, chunkSizeBytes: number): Part[];
