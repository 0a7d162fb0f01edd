// Made from uploader/ by `npm run generate`. Never edit it by hand.
import type { Api } from './api.js';
import { type Job } from './job.js';
import { type Ledger } from './ledger.js';
import { type ResumeRecord } from './resume-store.js';
/** One chunked upload on the server, seen from here. */
export interface Session {
    readonly upload: string;
    /** Where the file will be. */
    readonly id: string;
    readonly chunkSizeBytes: number;
    readonly api: Api;
    /** The upload token that opened it and alone reaches it; undefined when it was a key. */
    readonly uploadToken: string | undefined;
    /** Begun by an earlier page or program. */
    readonly isResumed: boolean;
    /** Milliseconds since 1970: when that one asked for the completion. */
    readonly completionAskedAt: number | undefined;
    readonly ledger: Ledger;
    /** Bytes of each stored part; undefined when the server has to be asked. */
    storedBytes: Map<number, number> | undefined;
    /** Whether what is stored was compared with the file since the server was asked. */
    isChecked: boolean;
    isCompleting: boolean;
    /** The server takes no parts any more: it was completed. */
    isOver: boolean;
}
/**
 * Starts an upload. The signal ends only the waits between tries, and the request itself a while later: whoever aborts that
 * at once does not learn what it opened.
 *
 * @param beside one that may be dropped for it: its parts count towards the quota, so the new one says nothing of its size
 * @throws {UploadError}, or the signal's reason
 */
export declare function openSession(job: Job, signal: AbortSignal, beside?: Session): Promise<Session>;
/** The session that a record stands for. */
export declare function sessionOf({ api, resume }: Job, record: ResumeRecord, isResumed: boolean): Session;
/** Drops what was remembered of a session, unless another one has taken its place. */
export declare function forgetSession({ resume }: Job, { upload }: Session): Promise<void>;
/** Forgets a session and removes what is stored of it, as well as it can be; fails for nothing. */
export declare function abandon(job: Job, session: Session): Promise<void>;
