// Made from uploader/ by `npm run generate`. Never edit it by hand.
/** Called with the number of body bytes sent so far. */
export type OnSent = (sentBytes: number) => void;
/** The connection ended without a response. */
export declare class ConnectionBroke extends TypeError {
    readonly name = "ConnectionBroke";
    /** Whether the whole body was sent, so that the server may have acted on it. */
    readonly isAllSent: boolean;
    constructor(message: string, isAllSent: boolean);
}
/** `fetch` over XMLHttpRequest. Browsers report upload progress only there. */
export interface XhrFetch {
    (request: Request): Promise<Response>;
}
/**
 * Makes a `fetch` for one request.
 *
 * @param body the request's body again, because reading it from the `Request` would load all of it into memory
 */
export declare function xhrFetch(body: Blob | FormData, onSent: OnSent): XhrFetch;
