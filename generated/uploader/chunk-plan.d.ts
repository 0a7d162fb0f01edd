// Made from uploader/ by `npm run generate`. Never edit it by hand.
/** What the parts of an upload may be, as the server said when it was started. */
export interface ChunkLimits {
    readonly minSizeBytes: number;
    readonly maxSizeBytes: number;
    readonly maxParts: number;
}
/** One part: the bytes from `startBytes` up to and without `endBytes`. */
export interface Part {
    /** From 1. */
    readonly number: number;
    readonly startBytes: number;
    readonly endBytes: number;
}
/**
 * Bytes of each part but the last. 8 MiB up to files of 2 GiB, then growing to 32 MiB at 8 GiB.
 *
 * @param wantedBytes what the caller asked for; brought within the limits
 */
export declare function chunkSize(sizeBytes: number, limits: ChunkLimits, wantedBytes?: number): number;
/** All parts of a file in their order; the last one takes the rest. */
export declare function partsOf(sizeBytes: number, chunkSizeBytes: number): Part[];
