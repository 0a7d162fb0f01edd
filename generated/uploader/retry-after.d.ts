// Made from uploader/ by `npm run generate`. Never edit it by hand.
/**
 * Milliseconds that a `Retry-After` asks to wait: seconds or a date (RFC 9110, section 10.2.3). `undefined` when it says
 * neither.
 *
 * @param now milliseconds
 */
export declare function retryAfterMs(value: string | null, now: number): number | undefined;
