// Made from uploader/ by `npm run generate`. Never edit it by hand.
import { type Brought } from './found-files.js';
import type { Texts } from './texts.js';
/** The files that the user may drop or choose. */
export interface DropZoneRules {
    readonly accept: string;
    readonly isMultiple: boolean;
    readonly hasFolders: boolean;
    readonly isDisabled: boolean;
    /** The phone camera to use: `user` or `environment`. */
    readonly capture: string | null;
}
/** The area where files are dropped or chosen. */
export interface DropZone {
    readonly element: HTMLElement;
    /** The element that the browser's form messages point to. */
    readonly anchor: HTMLElement;
    allow(rules: DropZoneRules): void;
    /**
     * Sets the texts.
     *
     * @param limits as text. Empty without limits
     */
    label(texts: Texts, limits: string): void;
    /** Also accepts drops on this target, until the signal is aborted. */
    listen(target: EventTarget, signal?: AbortSignal): void;
    focus(): void;
}
/** @param take called with the chosen or dropped files, while the event runs */
export declare function makeDropZone(take: (brought: Brought) => void): DropZone;
