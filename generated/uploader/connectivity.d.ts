// Made from uploader/ by `npm run generate`. Never edit it by hand.
import type { Probe } from './probe.js';
/** One attempt of a request. */
export interface Attempt {
    /**
     * Aborted with the caller's signal. Also aborted when the attempt is stuck although the server is reachable again.
     */
    readonly signal: AbortSignal;
    /** Reports that bytes were sent. An attempt that never reports is never aborted as stuck. */
    readonly moved: (isAllSent: boolean) => void;
}
/** Watches whether the server is reachable, for one upload. */
export interface Connectivity {
    /** Runs one attempt of a request. */
    watch<T>(run: (attempt: Attempt) => Promise<T>, signal: AbortSignal): Promise<T>;
    /** Waits before the next attempt: for `ms`, or until the server is reachable again. */
    wait(ms: number, signal: AbortSignal): Promise<void>;
    /** Reports that a request failed without a response. */
    reportLost(): void;
    /** Ends waits and resends stuck requests, because the server may be reachable again. */
    retryNow(): void;
    /** Stops listening to the system's connection events. */
    close(): void;
}
export interface ConnectivityOptions {
    readonly probe: Probe;
    /** Called on each change. */
    readonly tell: (isDown: boolean) => void;
    readonly now?: () => number;
}
export declare function watchConnectivity({ probe, tell, now }: ConnectivityOptions): Connectivity;
