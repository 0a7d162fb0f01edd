// Made from uploader/ by `npm run generate`. Never edit it by hand.
import type { Item } from './queue.js';
import { type RowOptions } from './row.js';
/** The rows of the list. A hundred rows are enough for thousands of files. */
export interface Rows {
    /** The number of items without a row. */
    readonly hidden: number;
    add(item: Item): void;
    showState(item: Item): void;
    showProgress(item: Item): void;
    /** Removes a row. If it had the focus, its neighbour gets it. Returns false when there is no neighbour to focus. */
    remove(item: Item): boolean;
    /** Shows all rows again, after a change of language. */
    refresh(): void;
}
export declare function makeRows(list: HTMLElement, options: RowOptions): Rows;
