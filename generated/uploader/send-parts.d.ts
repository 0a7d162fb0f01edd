// Made from uploader/ by `npm run generate`. Never edit it by hand.
import { type Job } from './job.js';
import type { Session } from './session.js';
/**
 * Sends every part that is not stored, several at a time. The first part that fails for good stops the others.
 *
 * @throws {UploadError}, or the signal's reason
 */
export declare function sendParts(job: Job, session: Session, signal: AbortSignal): Promise<void>;
