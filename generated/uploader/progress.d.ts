// Made from uploader/ by `npm run generate`. Never edit it by hand.
import type { UploadProgress } from './options.js';
/** Counts the bytes of one upload. */
export interface ProgressCounter {
    readonly current: UploadProgress;
    /**
     * Sets the bytes of a part that are stored or in flight, where 0 resets it. A file sent in one request is part 1.
     */
    set(part: number, bytes: number): void;
    /** The same for a part that an earlier page or program sent, unless this one sent it. */
    resume(part: number, bytes: number): void;
    clear(): void;
}
export declare function progressCounter(totalBytes: number, report: (progress: UploadProgress) => void): ProgressCounter;
