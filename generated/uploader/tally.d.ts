// Made from uploader/ by `npm run generate`. Never edit it by hand.
import type { UploadProgress } from './options.js';
/** Counts the bytes of one upload. */
export interface Tally {
    readonly progress: UploadProgress;
    /** Bytes of a part that are stored or on their way; 0 takes it back. The whole file is part 1 when it goes in one request. */
    set(part: number, bytes: number): void;
    /** The same for a part that an earlier page or program has sent, unless this one sent it. */
    keep(part: number, bytes: number): void;
    /** Takes everything back. */
    clear(): void;
}
export declare function openTally(totalBytes: number, report: (progress: UploadProgress) => void): Tally;
