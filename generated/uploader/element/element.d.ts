// Made from uploader/ by `npm run generate`. Never edit it by hand.
import type { Credential } from '../credentials.js';
import type { UploadOptions } from '../options.js';
import { type ReflectedProperties } from './attributes.js';
import type { CubbyUploadListenerMap } from './events.js';
import { FormField } from './form-field.js';
import type { MoreQuery } from './query-of.js';
import { type Item } from './queue.js';
import type { Texts } from './texts.js';
import type { TotalProgress } from './totals.js';
/**
 * `<cubby-upload>`: an area to drop, paste or choose files and folders, and a list that shows their progress. It is a
 * form field. docs/uploader.md describes its attributes, properties, events and parts.
 */
export declare class CubbyUpload extends FormField {
    #private;
    static readonly observedAttributes: readonly string[];
    /** An API key or upload token, or a function that returns one. Takes precedence over `token-url`. */
    credential: Credential | undefined;
    /** Query options beyond the attributes, for all files or for each. */
    query: MoreQuery;
    /** Further options of `uploadFile()`. */
    options: Partial<UploadOptions>;
    constructor();
    connectedCallback(): void;
    disconnectedCallback(): void;
    attributeChangedCallback(name: string): void;
    formDisabledCallback(isDisabled: boolean): void;
    formResetCallback(): void;
    /** Replaces texts of the surrounding language. */
    set texts(texts: Partial<Texts>);
    get texts(): Texts;
    /**
     * The name that uploads have for the opposite of `keep-existing`. Not in the types for JSX: a page that is made on a
     * server would lose a `false`.
     */
    get overwrite(): boolean;
    set overwrite(value: unknown);
    /** The files of the list with their current state. */
    get items(): ReadonlyArray<Pick<Item, 'file' | 'path' | 'state' | 'progress' | 'uploaded' | 'error'>>;
    get totals(): TotalProgress;
    /** Ids of the stored files. A form gets them under the element's name. */
    get value(): readonly string[];
    focus(): void;
    /** Adds files as if the user had chosen them. */
    addFiles(files: Iterable<File>): void;
    /** With `manual`: starts the waiting files. */
    start(): void;
    /** Pauses all uploads. Requests in flight finish, and no further one starts. */
    pauseAll(): void;
    resumeAll(): void;
    cancelAll(): void;
    /** Retries the failed files that a retry may help. */
    retryAll(): void;
    /** Removes completed and failed files from the list. Stored files stay stored. */
    clear(): void;
    /** Cancels everything and empties the list. */
    reset(): void;
}
/** The types of the attributes as properties, and of the listeners of the element's own events. */
export interface CubbyUpload extends ReflectedProperties {
    /** Read-only on other elements. */
    prefix: string | null;
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
