// Made from uploader/ by `npm run generate`. Never edit it by hand.
import type { Item } from './queue.js';
import type { Texts } from './texts.js';
/** What the reader may ask of a file. */
export type RowAction = 'pause' | 'resume' | 'cancel' | 'again' | 'remove';
/** One file in the list. */
export interface Row {
    readonly element: HTMLLIElement;
    /** Shows what the item is now. */
    showState(): void;
    showProgress(): void;
    /** Gives the focus to its last button. */
    focus(): void;
}
/** What a row needs of the element. */
export interface RowOptions {
    texts(): Texts;
    act(item: Item, action: RowAction): void;
    canTryAgain(item: Item): boolean;
    /** Shown behind its progress; an empty text for nothing. */
    timeLeft(item: Item): string;
    hasPictures(): boolean;
}
export declare function makeRow(item: Item, options: RowOptions): Row;
