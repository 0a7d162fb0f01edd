// Made from uploader/ by `npm run generate`. Never edit it by hand.
/** Checks whether a server responds at all. */
export interface Probe {
    /** Returns whether the browser has a free connection for the probe beside this many requests. */
    fits(requests: number): boolean;
    /** Returns whether any response comes within the time. Throws only the signal's reason. */
    ask(ms: number, signal: AbortSignal): Promise<boolean>;
}
export declare function probeOf(baseUrl: string, given?: typeof fetch): Probe;
