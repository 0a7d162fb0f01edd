// Made from uploader/ by `npm run generate`. Never edit it by hand.
import { type Job } from './job.js';
import { type Session } from './session.js';
/**
 * Takes up what was remembered of the same file, once its first part is seen to be the same and the credential at hand
 * leads where it was going; `undefined` when there is nothing of the kind. Instead of it, a new one may have been begun.
 *
 * @throws {UploadError}, or the signal's reason
 */
export declare function takeUp(job: Job, signal: AbortSignal): Promise<Session | undefined>;
