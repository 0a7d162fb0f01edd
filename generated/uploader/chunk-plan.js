// Made from uploader/ by `npm run generate`. Never edit it by hand.
const mebibyte = 1_048_576;
const smallestWantedBytes = 8 * mebibyte;
const largestWantedBytes = 32 * mebibyte;
/** Larger files get larger parts until there are about so many: fewer requests, and little to lose with one part. */
const wantedParts = 256;
/**
 * Bytes of each part but the last. 8 MiB up to files of 2 GiB, then growing to 32 MiB at 8 GiB.
 *
 * @param wantedBytes what the caller asked for; brought within the limits
 */
export function chunkSize(sizeBytes, limits, wantedBytes) {
    const grown = Math.ceil(sizeBytes / wantedParts / mebibyte) * mebibyte;
    const wanted = wantedBytes ?? Math.min(largestWantedBytes, Math.max(smallestWantedBytes, grown));
    const least = Math.max(limits.minSizeBytes, Math.ceil(sizeBytes / limits.maxParts));
    return Math.min(limits.maxSizeBytes, Math.max(least, wanted));
}
/** All parts of a file in their order; the last one takes the rest. */
export function partsOf(sizeBytes, chunkSizeBytes) {
    return Array.from({ length: Math.ceil(sizeBytes / chunkSizeBytes) }, (_, index) => ({
        number: index + 1,
        startBytes: index * chunkSizeBytes,
        endBytes: Math.min(sizeBytes, (index + 1) * chunkSizeBytes),
    }));
}
