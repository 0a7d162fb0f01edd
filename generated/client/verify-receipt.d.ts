/** What a server states about a file that it has stored or sent. */
export interface Receipt {
    /** What has happened: `upload` or `download`. */
    readonly action: 'upload' | 'download';
    /** The id of the file. */
    readonly id: string;
    /** The size of the file in bytes. */
    readonly size: number;
    /** The SHA-256 of its bytes in hex. */
    readonly sha256: string;
    /** ISO 8601 in UTC. */
    readonly at: string;
    /** The account that owns the file. */
    readonly account: string;
    /** The API key that the file was stored with, or that minted the upload token. Null for a download. */
    readonly key: string | null;
}
/** What a server states about the files that a sender has sent to a file request. */
export interface SentReceipt {
    readonly action: 'receive';
    /** The id of the request. */
    readonly file_request: string;
    /** The heading of its page. */
    readonly title: string;
    readonly files: ReadonlyArray<{
        /** The name as sent, with its folders. */
        readonly name: string;
        /** The size of the file in bytes. */
        readonly size: number;
        /** The SHA-256 of its bytes in hex. */
        readonly sha256: string;
        /** When it arrived: ISO 8601 in UTC. */
        readonly at: string;
    }>;
}
/** A public key of receipts, as `GET /v1/receipts/keys` lists it. */
export interface ReceiptKey {
    readonly kty: string;
    readonly crv: string;
    readonly kid: string;
    readonly x: string;
}
type ReceiptKeys = {
    readonly keys: readonly ReceiptKey[];
} | readonly ReceiptKey[];
/** The receipt is malformed, was changed, or was signed with another key. */
export declare class ReceiptInvalid extends Error {
    constructor(message: string);
}
/**
 * Verifies a receipt without asking the server. Works in Node, in browsers and at the edge.
 *
 * @param receipt as the upload or the download has returned it
 * @param keys the answer of `GET /v1/receipts/keys`, or its `keys`. Keep them: they change only with the master key
 * @returns what the receipt states
 * @throws {ReceiptInvalid} if it must not be trusted
 */
export declare function verifyReceipt(receipt: string, keys: ReceiptKeys): Promise<Receipt>;
/**
 * Verifies the receipt of a sender to a file request. It is another kind: neither function takes the other's receipts.
 *
 * @param receipt as the page of the request offers it
 * @param keys as for `verifyReceipt()`
 * @throws {ReceiptInvalid} if it must not be trusted
 */
export declare function verifySentReceipt(receipt: string, keys: ReceiptKeys): Promise<SentReceipt>;
export {};
