// Made from uploader/ by `npm run generate`. Never edit it by hand.
import type { UploadError } from '../upload-error.js';
import type { UploadProgress, UploadState, UploadedFile } from '../options.js';
import type { Texts } from './texts.js';
/** `waiting`: other files come first. */
export type RowState = 'waiting' | UploadState;
/** What the reader may ask of a file. */
export type RowAction = 'pause' | 'resume' | 'cancel' | 'again' | 'remove';
/** One file in the list. */
export interface Row {
    readonly item: HTMLLIElement;
    show(state: RowState, end?: {
        readonly uploaded?: UploadedFile;
        readonly error?: UploadError;
    }): void;
    showProgress(progress: UploadProgress): void;
    /** Gives the focus to its last button. */
    focus(): void;
}
/** Makes the row of a file. `act` is told what is asked for. */
export declare function makeRow(file: File, texts: Texts, act: (action: RowAction) => void): Row;
