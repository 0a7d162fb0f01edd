// Made from uploader/ by `npm run generate`. Never edit it by hand.
import { type Queue } from './queue.js';
import type { Texts } from './texts.js';
/** All files of the list together. */
export interface TotalProgress {
    readonly files: number;
    readonly completedFiles: number;
    readonly failedFiles: number;
    /** Of the files that have not failed. */
    readonly sentBytes: number;
    readonly totalBytes: number;
    /** Left out while nothing can be said. */
    readonly secondsLeft?: number;
}
/** What the reader may ask of all files. */
export type TotalAction = 'start' | 'pauseAll' | 'resumeAll' | 'againAll' | 'cancelAll' | 'clear';
export interface TotalsView {
    readonly element: HTMLElement;
    show(texts: Texts, total: TotalProgress, actions: readonly TotalAction[], isShown: boolean): void;
}
export declare function totalsOf({ items }: Queue, secondsFor: (bytes: number) => number | undefined): TotalProgress;
/** What makes sense for the list as it is. */
export declare function totalActions({ items }: Queue, { canStart, canTryAgain, canResume }: Readonly<Record<'canStart' | 'canTryAgain' | 'canResume', boolean>>): TotalAction[];
export declare function makeTotals(act: (action: TotalAction) => void): TotalsView;
