// Made from uploader/ by `npm run generate`. Never edit it by hand.
import { type Brought } from './found-files.js';
import type { Texts } from './texts.js';
/** What may be done with it. */
export interface DropZoneRules {
    readonly accept: string;
    readonly isMultiple: boolean;
    readonly hasFolders: boolean;
    readonly isDisabled: boolean;
    /** The camera of a phone: `user` or `environment`. */
    readonly capture: string | null;
}
/** Where files are dropped or chosen. */
export interface DropZone {
    readonly element: HTMLElement;
    /** What the browser's messages about the form point to. */
    readonly anchor: HTMLElement;
    allow(rules: DropZoneRules): void;
    /** @param limits in words; an empty text for none */
    label(texts: Texts, limits: string): void;
    /** Takes what is dropped elsewhere too, until the signal is aborted. */
    listen(target: EventTarget, signal?: AbortSignal): void;
    focus(): void;
}
/** @param take told what was chosen or dropped, while the event runs */
export declare function makeDropZone(take: (brought: Brought) => void): DropZone;
