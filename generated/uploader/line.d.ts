// Made from uploader/ by `npm run generate`. Never edit it by hand.
import type { Probe } from './probe.js';
/** One try of a request. */
export interface Attempt {
    /** Aborted with the caller's signal, and when the try stands still while the server can be reached again. */
    readonly signal: AbortSignal;
    /** Tells that bytes went out. A request that never tells it is never cut. */
    readonly moved: (isAllSent: boolean) => void;
}
/** Whether the server can be reached, as far as one upload sees. */
export interface Line {
    /** Runs one try of a request. */
    watch<T>(run: (attempt: Attempt) => Promise<T>, signal: AbortSignal): Promise<T>;
    /** Waits before another try: for `ms`, or until the server can be reached again. */
    rest(ms: number, signal: AbortSignal): Promise<void>;
    /** A request failed without an answer. */
    lost(): void;
    /** Ends waits and sends again what stands still, because somebody has reason to think that the server is back. */
    goOn(): void;
    /** Stops listening to the system. */
    close(): void;
}
export interface LineOptions {
    readonly probe: Probe;
    /** Told of each change. */
    readonly tell: (isDown: boolean) => void;
    readonly now?: () => number;
}
export declare function openLine({ probe, tell, now }: LineOptions): Line;
