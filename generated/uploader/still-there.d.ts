// Made from uploader/ by `npm run generate`. Never edit it by hand.
import type { CompletedChunkedUpload } from '../client/index.js';
import { type Job } from './job.js';
import type { Session } from './session.js';
/**
 * Whether the file of an upload that was completed before is still there: the server gives the answer for a day, also when
 * the file was deleted or replaced meanwhile. A key looks; a token may not, so there only a recent answer counts.
 *
 * @throws {UploadError}, or the signal's reason
 */
export declare function isStillThere(job: Job, session: Session, answer: CompletedChunkedUpload, signal: AbortSignal): Promise<boolean>;
