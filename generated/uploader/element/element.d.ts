// Made from uploader/ by `npm run generate`. Never edit it by hand.
import type { Credential } from '../credentials.js';
import type { UploadOptions, UploadQuery } from '../options.js';
import { type Texts } from './texts.js';
/** Where there is no DOM the module can be imported all the same. */
declare const Base: typeof HTMLElement;
/**
 * `<cubby-upload>`: a place to drop or choose files, and the list of them with their progress.
 *
 * Attributes: `base-url`, `token-url`, `prefix`, `private`, `expire`, `overwrite`, `resume-scope`, `accept`, `multiple`, `disabled`.
 * Events, which bubble out of shadow trees: `uploaded` with `{ file, uploaded }`, `failed` with `{ file, error }`, `progress`
 * with `{ file, sentBytes, totalBytes }`.
 */
export declare class CubbyUpload extends Base {
    #private;
    static readonly observedAttributes: string[];
    /** An API key or upload token, or a function that gives one; goes before `token-url`. */
    credential: Credential | undefined;
    /** More of the upload's query than the attributes say. */
    query: UploadQuery;
    /** More options of `uploadFile()`. */
    options: Partial<UploadOptions>;
    constructor();
    connectedCallback(): void;
    disconnectedCallback(): void;
    attributeChangedCallback(): void;
    /** Words in the place of the English ones. */
    set texts(texts: Partial<Texts>);
    get texts(): Texts;
    /** Takes files as if they had been chosen. */
    addFiles(files: Iterable<File>): void;
}
declare global {
    interface HTMLElementTagNameMap {
        'cubby-upload': CubbyUpload;
    }
}
export {};
