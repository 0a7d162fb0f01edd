// Made from uploader/ by `npm run generate`. Never edit it by hand.
/** Estimates the remaining time from the bytes sent in the last seconds. */
export interface Speed {
    /** @param movedBytes all bytes sent so far, which never falls */
    sample(movedBytes: number): void;
    /** Returns seconds. Undefined while there are too few samples. */
    secondsFor(bytes: number): number | undefined;
    /** Starts over after a pause. */
    reset(): void;
}
export declare function openSpeed(now?: () => number): Speed;
