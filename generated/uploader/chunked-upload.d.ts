// Made from uploader/ by `npm run generate`. Never edit it by hand.
import type { Control } from './control.js';
import { type Job } from './job.js';
import type { UploadedFile } from './options.js';
import { type Session } from './session.js';
/** Holds the session of one upload, so that a failed upload can be removed. */
export interface SessionHolder {
    session: Session | undefined;
}
/**
 * Sends a file in parts. Resumes an earlier session if there is one, sends the missing parts and completes the upload.
 * When the control's signal interrupts it, the session stays in the holder.
 *
 * @throws {UploadError}, or the signal's reason
 */
export declare function uploadInChunks(job: Job, holder: SessionHolder, control: Control): Promise<UploadedFile>;
