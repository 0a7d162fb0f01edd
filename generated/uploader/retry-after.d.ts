// Made from uploader/ by `npm run generate`. Never edit it by hand.
/**
 * Parses `Retry-After` into milliseconds to wait: seconds or a date (RFC 9110, section 10.2.3).
 *
 * @param now milliseconds since 1970
 * @returns undefined when the value is neither
 */
export declare function retryAfterMs(value: string | null, now: number): number | undefined;
