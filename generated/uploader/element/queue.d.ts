// Made from uploader/ by `npm run generate`. Never edit it by hand.
import type { UploadHandle, UploadOptions, UploadProgress, UploadState, UploadedFile } from '../options.js';
import { UploadError } from '../upload-error.js';
import type { Found } from './found-files.js';
/** `waiting`: other files come first, or nobody has started the upload. */
export type ItemState = 'waiting' | UploadState;
export interface Item extends Found {
    state: ItemState;
    progress: UploadProgress;
    upload?: UploadHandle;
    uploaded?: UploadedFile;
    error?: UploadError;
    /** Whether its folders become part of its name. */
    isFlat?: boolean;
    /** Whether it is paused because the element left the page. */
    isLeft?: boolean;
}
export interface QueueOptions {
    optionsFor(item: Item): UploadOptions;
    /** Whether uploads may start now. */
    mayStart(): boolean;
    changed(item: Item, what: 'state' | 'progress'): void;
    /** Called after an item was removed from the list. */
    removed(item: Item): void;
}
/** The files of an element, in order, and their uploads. */
export interface Queue {
    readonly items: readonly Item[];
    /** Bytes sent so far. This number never falls. */
    readonly movedBytes: number;
    add(found: Found): Item;
    startNext(): void;
    /** Uploads a failed file again, ahead of the waiting ones. */
    retry(item: Item): void;
    /** Cancels the file and removes it from the list. */
    remove(item: Item): void;
}
export declare function isRunning({ state }: Item): boolean;
/** Returns whether the file is neither completed nor failed. */
export declare function isUnfinished({ state }: Item): boolean;
export declare function makeQueue({ optionsFor, mayStart, changed, removed }: QueueOptions): Queue;
