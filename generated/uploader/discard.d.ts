// Made from uploader/ by `npm run generate`. Never edit it by hand.
import type { SessionHolder } from './chunked-upload.js';
import type { Job } from './job.js';
/**
 * Removes the stored parts of an upload that will not complete. Only a session that this upload opened or resumed is
 * removed.
 */
export declare function discard(job: Job, holder: SessionHolder): Promise<void>;
/** Removes the stored parts after a failure. Does nothing if another upload has resumed the session meanwhile. */
export declare function discardFailed(job: Job, holder: SessionHolder): Promise<void>;
