// Made from uploader/ by `npm run generate`. Never edit it by hand.
import type { UploadError } from '../upload-error.js';
import type { Texts } from './texts.js';
/** Tells screen reader users what happens in the list. */
export interface Announcer {
    /** Announces the result of a user's action at once. */
    say(text: string): void;
    completed(file: string): void;
    failed(file: string, error: UploadError): void;
}
export declare function makeAnnouncer(out: HTMLElement, texts: () => Texts): Announcer;
