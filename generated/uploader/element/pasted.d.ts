// Made from uploader/ by `npm run generate`. Never edit it by hand.
import type { Brought } from './found-files.js';
/** Whether a paste is meant for whatever the reader types into. */
export declare function isForAnother(event: ClipboardEvent): boolean;
/** Pictures from the clipboard get the time in their names: all of them are called `image.png`, and would replace each other. */
export declare function withNames(brought: Brought, now: Date): Brought;
