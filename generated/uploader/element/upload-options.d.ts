// Made from uploader/ by `npm run generate`. Never edit it by hand.
import type { Credential } from '../credentials.js';
import type { UploadOptions } from '../options.js';
import type { Found } from './found-files.js';
import { type MoreQuery } from './query-of.js';
/** What a page says to the element in scripts. */
interface Said {
    readonly credential: Credential | undefined;
    readonly query: MoreQuery;
    readonly options: Partial<UploadOptions>;
}
/** The options of one file's upload, of what attributes and properties say. */
export declare function uploadOptionsOf(element: HTMLElement & Said, { file, path }: Found, isFlat: boolean): UploadOptions;
export {};
