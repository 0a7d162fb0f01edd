// Made from uploader/ by `npm run generate`. Never edit it by hand.
import type { RefusalReason, Limits } from './limits.js';
import { type Brought, type Found } from './found-files.js';
/** What an intake needs of the element. */
export interface IntakeOptions {
    limits(): Limits;
    /** The files of the list that count towards the limits. */
    listed(): {
        readonly files: number;
        readonly bytes: number;
    };
    takesFolders(): boolean;
    showsHidden(): boolean;
    /** Whether the page lets it in. */
    isWanted(found: Found): boolean;
    take(files: readonly Found[]): void;
    /** Told after each piece; `isOver` with the last one. */
    tell(found: Takings, isOver: boolean): void;
}
/** What became of the files of one drop, paste or choice. */
export interface Takings {
    readonly taken: number;
    /** The first few of each reason, and how many there were. */
    readonly refused: ReadonlyMap<RefusalReason, {
        readonly files: readonly Found[];
        readonly paths: readonly string[];
        readonly count: number;
    }>;
}
/** Looks at files before anything of them is sent. */
export declare function takeIn({ files, folders }: Brought, options: IntakeOptions, signal: AbortSignal): Promise<void>;
