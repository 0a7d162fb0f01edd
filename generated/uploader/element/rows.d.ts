// Made from uploader/ by `npm run generate`. Never edit it by hand.
import type { Item } from './queue.js';
import { type RowOptions } from './row.js';
/** The rows of the list. Thousands of files need no more of them than a hundred. */
export interface Rows {
    /** How many of the items have no row. */
    readonly hidden: number;
    add(item: Item): void;
    showState(item: Item): void;
    showProgress(item: Item): void;
    /** Removes a row. If it had the focus, its neighbour gets it. Returns false when the focus has nowhere to go. */
    remove(item: Item): boolean;
    /** Shows all anew, in other words. */
    refresh(): void;
}
export declare function makeRows(list: HTMLElement, options: RowOptions): Rows;
