// Made from uploader/ by `npm run generate`. Never edit it by hand.
import { type Api } from './api.js';
import type { Control } from './control.js';
import { type Credentials } from './credentials.js';
import { type Line } from './line.js';
import type { UploadOptions, UploadQuery } from './options.js';
import { type PartSums } from './part-sums.js';
import { type ResumeStore } from './resume-store.js';
import { type Brake, type RetryPolicy, type Retrying } from './retry.js';
import { type Tally } from './tally.js';
/** One file with everything that its upload needs, the same from beginning to end. */
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
    readonly brake: Brake;
    readonly line: Line;
    readonly tally: Tally;
    /** Left out when the upload cannot be taken up again later. */
    readonly resume: Resume | undefined;
}
/** Where an upload is remembered. */
interface Resume {
    readonly store: ResumeStore;
    readonly key: string;
    /** What the caller gave as the store: the same object for the same records. */
    readonly place: object;
    /** Whether the caller says that all its tokens lead to the same place. */
    readonly isVouched: boolean;
}
/** @throws {TypeError} when nothing says where the server is */
export declare function jobOf(file: Blob, options: UploadOptions, control: Control): Job;
/** How the job's requests are repeated. */
export declare function retriesOf({ policy, brake, line }: Job, signal: AbortSignal): Retrying;
/**
 * The credential of the moment. Where it comes from an address that cannot be reached it is waited for like an answer of the server;
 * any other failure is final at once.
 *
 * @throws {UploadError}, or the signal's reason
 */
export declare function credentialOf(job: Job, signal: AbortSignal): Promise<string>;
export {};
