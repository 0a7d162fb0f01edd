// Made from uploader/ by `npm run generate`. Never edit it by hand.
import type { Api } from './api.js';
import type { Job } from './job.js';
/** One chunked upload on the server, seen from here. */
export interface Session {
    readonly upload: string;
    readonly chunkSizeBytes: number;
    readonly api: Api;
    /** The upload token that opened it and alone reaches it; undefined when it was a key. */
    readonly uploadToken: string | undefined;
    /** Begun by an earlier page or program. */
    readonly isResumed: boolean;
    /** Undefined without WebCrypto, or when nobody wants to know. */
    readonly firstPartSha256: string | undefined;
    /** Bytes of each stored part; undefined when the server has to be asked. */
    storedBytes: Map<number, number> | undefined;
    isCompleting: boolean;
    /** Remembers that the file may be there from now on. */
    markCompleting(): Promise<void>;
}
/**
 * Starts an upload. The signal ends only the waits between tries: whoever aborts the request itself does not learn what
 * it opened.
 *
 * @throws {UploadError}, or the signal's reason
 */
export declare function openSession(job: Job, signal: AbortSignal): Promise<Session>;
/** Takes up what was remembered of the same file, once its first part is seen to be the same. */
export declare function resumeSession(job: Job, signal: AbortSignal): Promise<Session | undefined>;
/** Drops what was remembered. */
export declare function forgetSession({ resume }: Job): Promise<void>;
