// Made from uploader/ by `npm run generate`. Never edit it by hand.
import { type Job } from './job.js';
import { type Session } from './session.js';
/**
 * Resumes the recorded upload of the same file. Its first part must match the file, and the current credential must
 * lead to the same destination. May return a newly started session instead.
 *
 * @returns undefined when there is nothing to resume
 * @throws {UploadError}, or the signal's reason
 */
export declare function resumeSession(job: Job, signal: AbortSignal): Promise<Session | undefined>;
