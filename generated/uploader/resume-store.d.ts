// Made from uploader/ by `npm run generate`. Never edit it by hand.
/** What is kept of an upload that is under way, so that it can be taken up again. */
export interface ResumeRecord {
    readonly version: 2;
    /** The server's name of the upload. */
    readonly upload: string;
    /** Where the file will be. */
    readonly id: string;
    readonly chunkSizeBytes: number;
    /** Of each part that the server may keep, by its number: the same name, size and time may stand for other bytes. */
    readonly partSha256: Readonly<Record<number, string>>;
    /** The upload token that opened it, since no other one reaches it. An API key is never kept. */
    readonly uploadToken?: string;
    /** Milliseconds since 1970: when the completion was sent, so that the file may be there although no answer came. */
    readonly completingAt?: number;
    /** Milliseconds since 1970. */
    readonly startedAt: number;
}
/** Where records are kept. A `Map` is one, for as long as the program runs. */
export interface ResumeStore {
    get(key: string): unknown;
    set(key: string, record: ResumeRecord): unknown;
    delete(key: string): unknown;
}
/** What tells one upload from another before a byte is read. */
export interface Fingerprint {
    readonly fileName: string;
    readonly sizeBytes: number;
    readonly mimeType: string;
    /** Milliseconds since 1970; 0 for a Blob that has no date. */
    readonly modifiedAt: number;
    readonly baseUrl: string;
    readonly query: Readonly<Record<string, unknown>>;
    /** Whose upload it is, where the caller says so. */
    readonly scope: string | undefined;
}
/** The key of a record: equal for equal fingerprints, in whatever order the query was written. */
export declare function resumeKey({ fileName, sizeBytes, mimeType, modifiedAt, baseUrl, query, scope }: Fingerprint): string;
/** Reads a record back; `undefined` for whatever is none, because anyone may write to the place where it is kept. */
export declare function readRecord(kept: unknown): ResumeRecord | undefined;
/** A store that fails or never answers must not fail the upload: it is only not resumable then. */
export declare function forgiving(store: ResumeStore): ResumeStore;
