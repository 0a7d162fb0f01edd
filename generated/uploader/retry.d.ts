// Made from uploader/ by `npm run generate`. Never edit it by hand.
/** How one request is repeated. */
export interface RetryPolicy {
    /** Tries in all before it is given up. A wait that a rate limit asks for is no try. */
    readonly tries: number;
    /** Before the second try; doubled before each further one. */
    readonly firstWaitMs: number;
    readonly longestWaitMs: number;
    /** A `Retry-After` beyond this is given up at once. */
    readonly longestRetryAfterMs: number;
}
export declare const defaultRetryPolicy: RetryPolicy;
/**
 * When the requests of one upload may go on. A rate limit that one of them met holds for all, so the others wait too
 * instead of finding out one by one.
 */
export interface Brake {
    /** Lets nothing pass for as long; never shortens what is said already. */
    hold(ms: number): void;
    /** Waits until requests may go. */
    pass(signal: AbortSignal): Promise<void>;
}
export declare function openBrake(now?: () => number): Brake;
export interface Retrying {
    readonly policy: RetryPolicy;
    readonly signal: AbortSignal;
    readonly brake: Brake;
    /** From 0 to 1; the system's chance when left out. */
    readonly random?: () => number;
}
/**
 * Runs a request until it succeeds, fails for good, or has failed too often.
 *
 * @throws {UploadError} of the last try, or the signal's reason
 */
export declare function retrying<T>(run: () => Promise<T>, { policy, signal, brake, random }: Retrying): Promise<T>;
/** Half of the doubled wait is certain and half is chance, so that many clients do not come back together. */
export declare function waitMs({ firstWaitMs, longestWaitMs }: RetryPolicy, failures: number, random: () => number): number;
