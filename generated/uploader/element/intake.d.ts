// Made from uploader/ by `npm run generate`. Never edit it by hand.
import type { RefusalReason, Limits } from './limits.js';
import { type Brought, type Found } from './found-files.js';
/** The parts of the element that `takeIn` needs. */
export interface IntakeOptions {
    limits(): Limits;
    /** The listed files that count towards the limits. */
    listed(): {
        readonly files: number;
        readonly bytes: number;
    };
    takesFolders(): boolean;
    showsHidden(): boolean;
    /** Asks the page whether it accepts the file. */
    isWanted(found: Found): boolean;
    take(files: readonly Found[]): void;
    /** Called after each batch. `isOver` is true with the last one. */
    tell(found: Takings, isOver: boolean): void;
}
/** The result of one drop, paste or choice. */
export interface Takings {
    readonly taken: number;
    /** Up to 100 files and paths for each reason, and how many there were. */
    readonly refused: ReadonlyMap<RefusalReason, {
        readonly files: readonly Found[];
        readonly paths: readonly string[];
        readonly count: number;
    }>;
}
/** Checks files and adds the accepted ones to the list. Nothing is sent yet. */
export declare function takeIn({ files, folders }: Brought, options: IntakeOptions, signal: AbortSignal): Promise<void>;
