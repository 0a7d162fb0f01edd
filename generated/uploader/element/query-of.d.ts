// Made from uploader/ by `npm run generate`. Never edit it by hand.
import type { UploadQuery } from '../options.js';
/** More of the upload's query than the attributes say, for all files or for each. */
export type MoreQuery = UploadQuery | ((file: File, path: string) => UploadQuery);
/** What the attributes say of where files go. An attribute alone is true, `="false"` is not. */
export declare function queryOf(element: Element): UploadQuery;
