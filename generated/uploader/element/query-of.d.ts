// Made from uploader/ by `npm run generate`. Never edit it by hand.
import type { UploadQuery } from '../options.js';
/** What the attributes say of where files go. An attribute alone is true, `="false"` is not. */
export declare function queryOf(element: Element): UploadQuery;
