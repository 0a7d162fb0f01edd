// Made from uploader/ by `npm run generate`. Never edit it by hand.
import { type ChunkedPart, type ChunkedUploadStatus, type CompletedChunkedUpload, type ObjectInfo, type StartChunkedUploadData, type StartedChunkedUpload, type UploadedObject } from '../client/index.js';
import type { Credentials } from './credentials.js';
import { type OnSent } from './xhr-fetch.js';
/** The query of the request that starts a chunked upload, as the contract defines it. */
export type StartQuery = NonNullable<StartChunkedUploadData['query']>;
/** An answer with the receipt from its header. */
export interface Receipted {
    readonly receipt?: string;
}
/** Options of a request with a large body. */
export interface Sending {
    readonly signal: AbortSignal;
    readonly onSent: OnSent;
}
export interface PartToPut {
    readonly upload: string;
    readonly number: number;
    readonly bytes: Blob;
    readonly sha256: string | undefined;
}
/** The operations of the contract that uploads need. Each resolves to `response` or throws an UploadError. */
export interface Api {
    uploadObject(file: File, query: StartQuery & {
        readonly checksum_sha256?: string;
    }, sending: Sending): Promise<UploadedObject & Receipted>;
    /** Also returns the credential that started the upload. */
    start(query: StartQuery, signal: AbortSignal): Promise<{
        readonly started: StartedChunkedUpload;
        readonly credential: string;
    }>;
    status(upload: string, signal: AbortSignal): Promise<ChunkedUploadStatus>;
    putPart(part: PartToPut, sending: Sending): Promise<ChunkedPart>;
    complete(upload: string, signal: AbortSignal): Promise<CompletedChunkedUpload & Receipted>;
    abort(upload: string, signal: AbortSignal): Promise<void>;
    info(id: string, signal: AbortSignal): Promise<ObjectInfo>;
    /** Returns an Api that uses other credentials. */
    as(credentials: Credentials): Api;
}
export interface ApiOptions {
    readonly baseUrl: string;
    readonly credentials: Credentials;
    /** Replaces the platform's `fetch`. Progress within a request is not reported then. */
    readonly fetch?: typeof fetch | undefined;
}
/** Returns the field alone. */
export declare function receiptOf({ receipt }: Receipted): Receipted;
export declare function connectApi({ baseUrl, credentials, fetch: given }: ApiOptions): Api;
/** Returns whether another credential could help. It cannot when the account itself may not upload. */
export declare function isRefusedCredential(error: unknown): boolean;
