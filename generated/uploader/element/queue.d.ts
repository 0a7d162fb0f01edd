// Made from uploader/ by `npm run generate`. Never edit it by hand.
import type { UploadHandle, UploadOptions, UploadProgress, UploadState, UploadedFile } from '../options.js';
import { UploadError } from '../upload-error.js';
import type { Found } from './found-files.js';
/** `waiting`: other files come first, or nobody has said yet that it may begin. */
export type ItemState = 'waiting' | UploadState;
/** One file of the list. */
export interface Item extends Found {
    state: ItemState;
    progress: UploadProgress;
    upload?: UploadHandle;
    uploaded?: UploadedFile;
    error?: UploadError;
    /** Its folders go into its name. */
    isFlat?: boolean;
    /** Paused because the element is not in the page. */
    isLeft?: boolean;
}
export interface QueueOptions {
    optionsFor(item: Item): UploadOptions;
    /** Whether files may begin now. */
    mayStart(): boolean;
    changed(item: Item, what: 'state' | 'progress'): void;
    /** The item is not in the list any more. */
    removed(item: Item): void;
}
/** The files of an element, and which of them are under way. */
export interface Queue {
    readonly items: readonly Item[];
    /** Bytes that went over the line so far; it never falls. */
    readonly movedBytes: number;
    add(found: Found): Item;
    startNext(): void;
    /** Begins it once more, in its turn. */
    retry(item: Item): void;
    /** Ends it, and takes it out of the list. */
    remove(item: Item): void;
}
export declare function isRunning({ state }: Item): boolean;
/** Whether it is neither completed nor failed. */
export declare function isUnfinished({ state }: Item): boolean;
export declare function makeQueue({ optionsFor, mayStart, changed, removed }: QueueOptions): Queue;
