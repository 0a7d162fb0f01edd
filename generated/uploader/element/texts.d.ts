// Made from uploader/ by `npm run generate`. Never edit it by hand.
import type { UploadError } from '../upload-error.js';
/** Every word of the element, to be replaced by those of another language. `file` is a file's name. */
export interface Texts {
    readonly choose: string;
    readonly orDrop: string;
    readonly list: string;
    readonly waiting: string;
    readonly checking: string;
    readonly paused: string;
    readonly completed: string;
    readonly cancelling: string;
    readonly open: string;
    readonly pause: string;
    readonly resume: string;
    readonly cancel: string;
    readonly again: string;
    readonly remove: string;
    readonly progressOf: (file: string) => string;
    readonly actionOn: (action: string, file: string) => string;
    /** `percent` from 0 to 100. */
    readonly uploading: (sent: string, total: string, percent: number) => string;
    readonly failed: (error: UploadError) => string;
    readonly saysAdded: (files: number) => string;
    readonly saysCompleted: (file: string) => string;
    readonly saysFailed: (file: string, error: UploadError) => string;
    readonly saysPaused: (file: string) => string;
    readonly saysResumed: (file: string) => string;
    readonly saysCancelled: (file: string) => string;
    readonly saysRefused: (files: readonly string[]) => string;
    readonly saysLeftOut: (files: readonly string[]) => string;
}
export declare const english: Texts;
