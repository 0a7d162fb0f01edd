// Made from uploader/ by `npm run generate`. Never edit it by hand.
import type { UploadError } from '../upload-error.js';
import type { Texts } from './texts.js';
/** Says to those who do not see the list what happens in it. */
export interface Announcer {
    /** What the reader has just done. */
    say(text: string): void;
    completed(file: string): void;
    failed(file: string, error: UploadError): void;
}
export declare function makeAnnouncer(out: HTMLElement, texts: () => Texts): Announcer;
