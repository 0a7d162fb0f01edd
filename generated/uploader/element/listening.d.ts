// Made from uploader/ by `npm run generate`. Never edit it by hand.
import type { DropZone } from './drop-zone.js';
import { type Brought } from './found-files.js';
export interface Listening {
    readonly zone: DropZone;
    take(brought: Brought): void;
    /** Whether leaving the page would lose uploads. */
    isBusy(): boolean;
}
/**
 * Handles pastes, drops outside the element and leaving the page, as the attributes say, until the signal is aborted.
 */
export declare function listenAround(element: HTMLElement, { zone, take, isBusy }: Listening, signal: AbortSignal): void;
