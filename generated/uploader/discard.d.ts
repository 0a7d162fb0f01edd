// Made from uploader/ by `npm run generate`. Never edit it by hand.
import type { SessionHolder } from './chunked-upload.js';
import type { Job } from './job.js';
/** Removes what is stored of an upload that will not be completed: of a session that it opened or took up itself, no other. */
export declare function discard(job: Job, holder: SessionHolder): Promise<void>;
/** The same for one that has failed, which another upload may have taken up since: then it is that one's. */
export declare function discardFailed(job: Job, holder: SessionHolder): Promise<void>;
