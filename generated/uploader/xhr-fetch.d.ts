// Made from uploader/ by `npm run generate`. Never edit it by hand.
/** Told how many bytes of a body have left so far. */
export type OnSent = (sentBytes: number) => void;
/** The connection ended without an answer. */
export declare class ConnectionBroke extends TypeError {
    readonly name = "ConnectionBroke";
    /** Whether the whole body had left by then, so that the server may have acted on it. */
    readonly isAllSent: boolean;
    constructor(message: string, isAllSent: boolean);
}
/** `fetch` over XMLHttpRequest, because a browser tells the progress of an upload only there. */
export interface XhrFetch {
    (request: Request): Promise<Response>;
}
/**
 * Makes a `fetch` for one request.
 *
 * @param body the request's body once more: reading it out of the `Request` would bring all of it into memory
 */
export declare function xhrFetch(body: Blob | FormData, onSent: OnSent): XhrFetch;
