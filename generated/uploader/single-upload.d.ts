// Made from uploader/ by `npm run generate`. Never edit it by hand.
import { type Job } from './job.js';
import type { UploadedFile } from './options.js';
/**
 * Sends a file in one request.
 *
 * @throws {UploadError}, or the signal's reason
 */
export declare function uploadInOne(job: Job, signal: AbortSignal): Promise<UploadedFile>;
