// Made from uploader/ by `npm run generate`. Never edit it by hand.
import type { Item } from './queue.js';
import type { Texts } from './texts.js';
/** The actions on one file. */
export type RowAction = 'pause' | 'resume' | 'cancel' | 'again' | 'remove';
export interface Row {
    readonly element: HTMLLIElement;
    /** Shows the item's current state. */
    showState(): void;
    showProgress(): void;
    /** Focuses the row's last button. */
    focus(): void;
}
/** The parts of the element that a row needs. */
export interface RowOptions {
    texts(): Texts;
    act(item: Item, action: RowAction): void;
    canTryAgain(item: Item): boolean;
    /** Text after the progress. Empty for none. */
    timeLeft(item: Item): string;
    hasPictures(): boolean;
}
export declare function makeRow(item: Item, options: RowOptions): Row;
