// Made from uploader/ by `npm run generate`. Never edit it by hand.
import type { Credential } from '../credentials.js';
import type { UploadOptions } from '../options.js';
import type { CubbyUploadListenerMap } from './events.js';
import { FormField } from './form-field.js';
import type { MoreQuery } from './query-of.js';
import { type Item } from './queue.js';
import type { Texts } from './texts.js';
import type { TotalProgress } from './totals.js';
/**
 * `<cubby-upload>`: a place to drop, paste or choose files and folders, and the list of them with their progress. It takes part in forms.
 * Its attributes, properties, events and parts stand in docs/uploader.md.
 */
export declare class CubbyUpload extends FormField {
    #private;
    static readonly observedAttributes: string[];
    /** An API key or upload token, or a function that gives one; goes before `token-url`. */
    credential: Credential | undefined;
    /** More of the upload's query than the attributes say, for all files or for each. */
    query: MoreQuery;
    /** More options of `uploadFile()`. */
    options: Partial<UploadOptions>;
    constructor();
    connectedCallback(): void;
    disconnectedCallback(): void;
    attributeChangedCallback(name: string): void;
    formDisabledCallback(isDisabled: boolean): void;
    formResetCallback(): void;
    /** Words in the place of those of the language around. */
    set texts(texts: Partial<Texts>);
    get texts(): Texts;
    /** The files of the list, as they stand now. */
    get items(): ReadonlyArray<Pick<Item, 'file' | 'path' | 'state' | 'progress' | 'uploaded' | 'error'>>;
    get totals(): TotalProgress;
    /** Ids of the stored files: what a form gets under the element's name. */
    get value(): readonly string[];
    focus(): void;
    /** Takes files as if they had been chosen. */
    addFiles(files: Iterable<File>): void;
    /** With `manual`: begins what waits. */
    start(): void;
    /** Requests under way come to their end; nothing more is begun. */
    pauseAll(): void;
    resumeAll(): void;
    cancelAll(): void;
    /** Tries again what failed, where that can help. */
    retryAll(): void;
    /** Takes what is completed or has failed out of the list. Stored files stay stored. */
    clear(): void;
    /** Cancels everything and empties the list. */
    reset(): void;
}
/** Listeners know what the element's own events tell. */
export interface CubbyUpload {
    addEventListener<Name extends keyof CubbyUploadListenerMap>(type: Name, listener: (this: CubbyUpload, event: CubbyUploadListenerMap[Name]) => unknown, options?: boolean | AddEventListenerOptions): void;
    addEventListener(type: string, listener: EventListenerOrEventListenerObject, options?: boolean | AddEventListenerOptions): void;
    removeEventListener<Name extends keyof CubbyUploadListenerMap>(type: Name, listener: (this: CubbyUpload, event: CubbyUploadListenerMap[Name]) => unknown, options?: boolean | EventListenerOptions): void;
    removeEventListener(type: string, listener: EventListenerOrEventListenerObject, options?: boolean | EventListenerOptions): void;
}
export type { CubbyUploadDetails, CubbyUploadEventMap } from './events.js';
export type { CubbyUploadProps } from './jsx.js';
export type { Limits, RefusalReason } from './limits.js';
export type { ItemState } from './queue.js';
export type { Texts } from './texts.js';
export type { TotalProgress } from './totals.js';
export { english } from './texts-en.js';
export { portuguese } from './texts-pt.js';
export { spanish } from './texts-es.js';
declare global {
    interface HTMLElementTagNameMap {
        'cubby-upload': CubbyUpload;
    }
}
