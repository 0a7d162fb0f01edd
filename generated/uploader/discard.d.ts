// Made from uploader/ by `npm run generate`. Never edit it by hand.
import type { SessionHolder } from './chunked-upload.js';
import type { Job } from './job.js';
/** Removes what is stored of an upload that will not be completed, as well as it can be; fails for nothing. */
export declare function discard(job: Job, holder: SessionHolder): Promise<void>;
