// Made from uploader/ by `npm run generate`. Never edit it by hand.
import type { Credential } from '../credentials.js';
import type { UploadOptions } from '../options.js';
import type { Found } from './found-files.js';
import { type MoreQuery } from './query-of.js';
/** The properties that a page sets in scripts. */
interface Said {
    readonly credential: Credential | undefined;
    readonly query: MoreQuery;
    readonly options: Partial<UploadOptions>;
}
/** Builds the upload options of one file from attributes and properties. */
export declare function uploadOptionsOf(element: HTMLElement & Said, { file, path }: Found, isFlat: boolean): UploadOptions;
export {};
