// Made from uploader/ by `npm run generate`. Never edit it by hand.
import type { CompletedChunkedUpload } from '../client/index.js';
import { type Job } from './job.js';
import type { Session } from './session.js';
/**
 * Returns whether the file of a completed upload still exists. The server repeats the completion response for a day,
 * even after the file was deleted or replaced. A key can read the object's info. A token cannot, so only a recent
 * response counts there.
 *
 * @throws {UploadError}, or the signal's reason
 */
export declare function isStillThere(job: Job, session: Session, answer: CompletedChunkedUpload, signal: AbortSignal): Promise<boolean>;
