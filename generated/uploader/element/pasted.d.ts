// Made from uploader/ by `npm run generate`. Never edit it by hand.
import type { Brought } from './found-files.js';
/** Returns whether the paste goes to a text field. */
export declare function isForAnother(event: ClipboardEvent): boolean;
/**
 * Adds the time to the names of pasted images. Browsers name all of them `image.png`, so they would replace each other.
 */
export declare function withNames(brought: Brought, now: Date): Brought;
