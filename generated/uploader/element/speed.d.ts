// Made from uploader/ by `npm run generate`. Never edit it by hand.
/** Reckons how long the rest takes, by what went in the last seconds. */
export interface Speed {
    /** @param movedBytes all that has gone so far; it never falls */
    sample(movedBytes: number): void;
    /** Seconds; undefined while nothing can be said. */
    secondsFor(bytes: number): number | undefined;
    /** Begins anew, after a stop. */
    reset(): void;
}
export declare function openSpeed(now?: () => number): Speed;
