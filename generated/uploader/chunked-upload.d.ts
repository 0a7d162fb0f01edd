// Made from uploader/ by `npm run generate`. Never edit it by hand.
import type { Control } from './control.js';
import { type Job } from './job.js';
import type { UploadedFile } from './options.js';
import { type Session } from './session.js';
/** Keeps the session of one upload, so that it can be removed after a failure. */
export interface SessionHolder {
    session: Session | undefined;
}
/**
 * Sends a file in parts: takes up what an earlier session began, sends what is missing, completes. Interrupted by the
 * control's signal it leaves its session in the holder.
 *
 * @throws {UploadError}, or the signal's reason
 */
export declare function uploadInChunks(job: Job, holder: SessionHolder, control: Control): Promise<UploadedFile>;
