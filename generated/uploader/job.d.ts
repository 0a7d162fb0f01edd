// Made from uploader/ by `npm run generate`. Never edit it by hand.
import { type Api } from './api.js';
import { type Credentials } from './credentials.js';
import type { UploadOptions, UploadQuery } from './options.js';
import { type ResumeStore } from './resume-store.js';
import { type Brake, type RetryPolicy } from './retry.js';
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
    readonly policy: RetryPolicy;
    readonly brake: Brake;
    readonly tally: Tally;
    /** Left out when the upload cannot be taken up again later. */
    readonly resume: {
        readonly store: ResumeStore;
        readonly key: string;
    } | undefined;
}
/** @throws {TypeError} when nothing says where the server is */
export declare function jobOf(file: Blob, options: UploadOptions): Job;
