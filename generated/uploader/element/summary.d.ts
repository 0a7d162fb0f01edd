// Made from uploader/ by `npm run generate`. Never edit it by hand.
import type { Panel } from './panel.js';
import { type Item, type Queue } from './queue.js';
import type { Texts } from './texts.js';
import { type TotalProgress } from './totals.js';
export interface SummaryOptions {
    readonly queue: Queue;
    readonly panel: Panel;
    texts(): Texts;
    canTryAgain(item: Item): boolean;
    /** Whether waiting files need a word to begin: for the first time, or after a pause of all. */
    waitsFor(): 'start' | 'resume' | undefined;
    tell(name: 'totalprogress' | 'finished', total: TotalProgress): void;
}
/** What concerns all files: their progress, the time that is left, the buttons for all of them. */
export interface Summary {
    readonly total: TotalProgress;
    /** New files came: there will be an end to tell of. */
    begin(): void;
    show(): void;
    /** A few times a second at the most. */
    showSoon(): void;
    /** Of a file that is alone in the list; empty otherwise. */
    timeLeft(item: Item): string;
}
export declare function makeSummary({ queue, panel, texts, canTryAgain, waitsFor, tell }: SummaryOptions): Summary;
