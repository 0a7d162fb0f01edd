// Made from uploader/ by `npm run generate`. Never edit it by hand.
/** The record of an unfinished upload, kept for resuming it. */
export interface ResumeRecord {
    readonly version: 2;
    /** The server's identifier of the upload. */
    readonly upload: string;
    /** The id of the file once the upload completes. */
    readonly id: string;
    readonly chunkSizeBytes: number;
    /**
     * SHA-256 of each part that the server may keep, by part number. The same name, size and time may belong to other
     * bytes.
     */
    readonly partSha256: Readonly<Record<number, string>>;
    /** The upload token that opened the upload, since no other token can access it. An API key is never stored. */
    readonly uploadToken?: string;
    /** Milliseconds since 1970. When the completion was requested: the file may exist even if no response came. */
    readonly completingAt?: number;
    /** Milliseconds since 1970. */
    readonly startedAt: number;
}
/** A store of records. A `Map` works too, until the program ends. */
export interface ResumeStore {
    get(key: string): unknown;
    set(key: string, record: ResumeRecord): unknown;
    delete(key: string): unknown;
}
/** The properties that distinguish one upload from another before a byte is read. */
export interface Fingerprint {
    readonly fileName: string;
    readonly sizeBytes: number;
    readonly mimeType: string;
    /** Milliseconds since 1970. 0 for a Blob, which has no date. */
    readonly modifiedAt: number;
    readonly baseUrl: string;
    readonly query: Readonly<Record<string, unknown>>;
    /** The owner of the upload, if the caller names one. */
    readonly scope: string | undefined;
}
/** Returns the key of a record. Equal fingerprints have equal keys, whatever the order of the query. */
export declare function resumeKey({ fileName, sizeBytes, mimeType, modifiedAt, baseUrl, query, scope }: Fingerprint): string;
/** Validates a stored record. Returns `undefined` for anything else, because other scripts can write to the store. */
export declare function readRecord(kept: unknown): ResumeRecord | undefined;
/** Wraps a store so that its failure or silence never fails the upload. The upload is only not resumable then. */
export declare function forgiving(store: ResumeStore): ResumeStore;
