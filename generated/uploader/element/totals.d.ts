// Made from uploader/ by `npm run generate`. Never edit it by hand.
import { type Queue } from './queue.js';
import type { Texts } from './texts.js';
/** The progress of all files in the list. */
export interface TotalProgress {
    readonly files: number;
    readonly completedFiles: number;
    readonly failedFiles: number;
    /** Without failed files. */
    readonly sentBytes: number;
    readonly totalBytes: number;
    /** Absent while there is no estimate. */
    readonly secondsLeft?: number;
}
/** The actions on all files. */
export type TotalAction = 'start' | 'pauseAll' | 'resumeAll' | 'againAll' | 'cancelAll' | 'clear';
export interface TotalsView {
    readonly element: HTMLElement;
    show(texts: Texts, total: TotalProgress, actions: readonly TotalAction[], isShown: boolean): void;
}
export declare function totalsOf({ items }: Queue, secondsFor: (bytes: number) => number | undefined): TotalProgress;
/** Returns the actions that the current list allows. */
export declare function totalActions({ items }: Queue, { canStart, canTryAgain, canResume }: Readonly<Record<'canStart' | 'canTryAgain' | 'canResume', boolean>>): TotalAction[];
export declare function makeTotals(act: (action: TotalAction) => void): TotalsView;
