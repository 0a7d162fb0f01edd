// Made from uploader/ by `npm run generate`. Never edit it by hand.
import type { Texts } from './texts.js';
/** Where files are dropped or chosen. */
export interface DropZone {
    readonly element: HTMLElement;
    allow(files: {
        readonly accept: string;
        readonly isMultiple: boolean;
        readonly isDisabled: boolean;
    }): void;
    label(texts: Texts): void;
    focus(): void;
}
/** Makes an element with its class as its part, so that pages can style it. */
export declare function partElement<K extends keyof HTMLElementTagNameMap>(tag: K, name: string): HTMLElementTagNameMap[K];
/** @param take told which files were chosen or dropped */
export declare function makeDropZone(take: (files: readonly File[]) => void): DropZone;
