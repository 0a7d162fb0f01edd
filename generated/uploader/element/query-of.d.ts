// Made from uploader/ by `npm run generate`. Never edit it by hand.
import type { UploadQuery } from '../options.js';
/** Query options beyond the attributes, for all files or for each. */
export type MoreQuery = UploadQuery | ((file: File, path: string) => UploadQuery);
/** Reads the upload's query from the attributes. What they leave out is for the server, its rules and the token to say. */
export declare function queryOf(element: Element): UploadQuery;
