// Made from uploader/ by `npm run generate`. Never edit it by hand.
import { type Api } from './api.js';
import type { Control } from './control.js';
import { type Credentials } from './credentials.js';
import { type Connectivity } from './connectivity.js';
import type { UploadOptions, UploadQuery } from './options.js';
import { type PartSums } from './part-sums.js';
import { type ResumeStore } from './resume-store.js';
import { type Backoff, type RetryPolicy, type Retrying } from './retry.js';
import { type ProgressCounter } from './progress.js';
/** One file and everything that its upload needs. A job never changes. */
export interface Job {
    readonly file: Blob;
    readonly fileName: string;
    readonly query: UploadQuery;
    readonly api: Api;
    readonly credentials: Credentials;
    readonly concurrency: number;
    readonly chunkSizeBytes: number | undefined;
    readonly hasChecksums: boolean;
    readonly sumOf: PartSums;
    readonly policy: RetryPolicy;
    readonly backoff: Backoff;
    readonly connectivity: Connectivity;
    readonly progress: ProgressCounter;
    /** Undefined when the upload cannot be resumed later. */
    readonly resume: Resume | undefined;
}
/** The place where an upload's record is kept. */
interface Resume {
    readonly store: ResumeStore;
    readonly key: string;
    /** The store that the caller passed. The same object means the same records. */
    readonly place: object;
    /** Whether the caller states that all its tokens lead to the same destination. */
    readonly isVouched: boolean;
}
/**
 * Builds the job of one upload.
 *
 * @throws {TypeError} when there is neither `baseUrl` nor a page origin
 */
export declare function jobOf(file: Blob, options: UploadOptions, control: Control): Job;
/** Returns how the job's requests are retried. */
export declare function retriesOf({ policy, backoff, connectivity }: Job, signal: AbortSignal): Retrying;
/**
 * Returns the current credential. If its address cannot be reached, the call is retried like a request. Any other
 * failure is final.
 *
 * @throws {UploadError}, or the signal's reason
 */
export declare function credentialOf(job: Job, signal: AbortSignal): Promise<string>;
export {};
