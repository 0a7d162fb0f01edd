// Made from uploader/ by `npm run generate`. Never edit it by hand.
import type { DropZone } from './drop-zone.js';
import { type Brought } from './found-files.js';
export interface Listening {
    readonly zone: DropZone;
    take(brought: Brought): void;
    /** Whether something would be lost with the page. */
    isBusy(): boolean;
}
/** Listens to pastes, to drops beside the element and to the end of the page, as the attributes say, until the signal is aborted. */
export declare function listenAround(element: HTMLElement, { zone, take, isBusy }: Listening, signal: AbortSignal): void;
