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
    /** Returns the step that the waiting files need to begin: a first start, or a resume after "pause all". */
    waitsFor(): 'start' | 'resume' | undefined;
    tell(name: 'totalprogress' | 'finished', total: TotalProgress): void;
}
/** The progress of all files, the remaining time and the buttons for all. */
export interface Summary {
    readonly total: TotalProgress;
    /** Notes that new files were added, so that `finished` is sent again. */
    begin(): void;
    show(): void;
    /** Calls `show()` a few times a second at most. */
    showSoon(): void;
    /** Remaining time of the only file in the list. Empty for several files. */
    timeLeft(item: Item): string;
}
export declare function makeSummary({ queue, panel, texts, canTryAgain, waitsFor, tell }: SummaryOptions): Summary;
