// Made from uploader/ by `npm run generate`. Never edit it by hand.
/** A look whether a server answers at all. */
export interface Probe {
    /** Whether there is a connection left for it beside so many requests. */
    fits(requests: number): boolean;
    /** Whether anything answers within the time; throws only the signal's reason. */
    ask(ms: number, signal: AbortSignal): Promise<boolean>;
}
export declare function probeOf(baseUrl: string, given?: typeof fetch): Probe;
