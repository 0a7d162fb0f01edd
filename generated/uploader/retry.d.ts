// Made from uploader/ by `npm run generate`. Never edit it by hand.
import type { Attempt, Line } from './line.js';
/** How one request is repeated. */
export interface RetryPolicy {
    /** Tries in all before it is given up. A wait that a rate limit asks for is no try. */
    readonly tries: number;
    /** Before the second try; doubled before each further one. */
    readonly firstWaitMs: number;
    readonly longestWaitMs: number;
    /** A `Retry-After` beyond this is given up at once. */
    readonly longestRetryAfterMs: number;
    /** Whether a server that cannot be reached is tried without end: `tries` counts only answers then. */
    readonly keepsTrying: boolean;
}
export declare const defaultRetryPolicy: RetryPolicy;
/** Returns the retry policy of one upload. It tries without end in a page, unless `tries` is given. Elsewhere it gives up. */
export declare function policyOf(wanted?: Partial<RetryPolicy>): RetryPolicy;
/**
 * Says when the requests of one upload may go on. A rate limit that one of them met holds for all, so the others wait too
 * instead of finding out one by one. A pause holds them as well.
 */
export interface Brake {
    /** Lets nothing pass for as long; never shortens what is said already. */
    hold(ms: number): void;
    /** Waits until requests may go. */
    pass(signal: AbortSignal): Promise<void>;
}
export interface BrakeOptions {
    /** Waits while the upload is paused. */
    readonly whenGoing?: (signal: AbortSignal) => Promise<void>;
    readonly now?: () => number;
}
export declare function openBrake({ whenGoing, now }?: BrakeOptions): Brake;
export interface Retrying {
    readonly policy: RetryPolicy;
    readonly signal: AbortSignal;
    readonly brake: Brake;
    /** Left out where nobody asks whether the server can be reached. */
    readonly line?: Line;
    /** From 0 to 1; the system's chance when left out. */
    readonly random?: () => number;
}
/**
 * Runs a request until it succeeds, fails for good, or has failed too often.
 *
 * @throws {UploadError} of the last try, or the signal's reason
 */
export declare function retrying<T>(run: (attempt: Attempt) => Promise<T>, { policy, signal, brake, line, random }: Retrying): Promise<T>;
/** Half of the doubled wait is certain and half is chance, so that many clients do not come back together. */
export declare function waitMs({ firstWaitMs, longestWaitMs }: RetryPolicy, failures: number, random: () => number): number;
