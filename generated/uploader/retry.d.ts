// Made from uploader/ by `npm run generate`. Never edit it by hand.
import type { Attempt, Connectivity } from './connectivity.js';
/** The rules for retrying one request. */
export interface RetryPolicy {
    /** Attempts in all. A wait that a rate limit asks for does not count as one. */
    readonly tries: number;
    /** Wait before the second attempt. It doubles before each further one. */
    readonly firstWaitMs: number;
    readonly longestWaitMs: number;
    /** A longer `Retry-After` fails the request at once. */
    readonly longestRetryAfterMs: number;
    /** Whether an unreachable server is retried without end. `tries` then counts only requests that got a response. */
    readonly keepsTrying: boolean;
}
export declare const defaultRetryPolicy: RetryPolicy;
/**
 * Returns the retry policy of one upload. In a page it retries without end, unless `tries` is given. Elsewhere it gives
 * up.
 */
export declare function policyOf(wanted?: Partial<RetryPolicy>): RetryPolicy;
/**
 * Delays the requests of one upload. A rate limit that one request meets applies to all of them, so the others wait
 * too. They also wait during a pause.
 */
export interface Backoff {
    /** Delays requests for at least `ms` from now. Never shortens an earlier delay. */
    extend(ms: number): void;
    /** Waits until requests may be sent. */
    wait(signal: AbortSignal): Promise<void>;
}
export interface BackoffOptions {
    /** Waits while the upload is paused. */
    readonly whenGoing?: (signal: AbortSignal) => Promise<void>;
    readonly now?: () => number;
}
export declare function sharedBackoff({ whenGoing, now }?: BackoffOptions): Backoff;
export interface Retrying {
    readonly policy: RetryPolicy;
    readonly signal: AbortSignal;
    readonly backoff: Backoff;
    /** Undefined when nothing watches whether the server is reachable. */
    readonly connectivity?: Connectivity;
    /** Returns a number from 0 to 1. Defaults to `Math.random`. */
    readonly random?: () => number;
}
/**
 * Runs a request until it succeeds, fails for good, or has used up its attempts.
 *
 * @throws {UploadError} of the last attempt, or the signal's reason
 */
export declare function retrying<T>(run: (attempt: Attempt) => Promise<T>, { policy, signal, backoff, connectivity, random }: Retrying): Promise<T>;
/**
 * Returns the wait before the next attempt. Half of the doubled wait is fixed and half is random, so that clients do
 * not return together.
 */
export declare function waitMs({ firstWaitMs, longestWaitMs }: RetryPolicy, failures: number, random: () => number): number;
