// Made from uploader/ by `npm run generate`. Never edit it by hand.
import type { Api } from './api.js';
import { type Job } from './job.js';
import { type RecordWriter } from './record-writer.js';
import { type ResumeRecord } from './resume-store.js';
/** One chunked upload on the server, as this client sees it. */
export interface Session {
    readonly upload: string;
    /** The id of the file once the upload completes. */
    readonly id: string;
    readonly chunkSizeBytes: number;
    readonly api: Api;
    /** The upload token that opened the upload. No other credential can access it. Undefined for a key. */
    readonly uploadToken: string | undefined;
    /** Whether an earlier page or program started it. */
    readonly isResumed: boolean;
    /** Milliseconds since 1970. When an earlier page or program requested the completion. */
    readonly completionAskedAt: number | undefined;
    readonly record: RecordWriter;
    /** Size in bytes of each stored part. Undefined when the server has to be asked. */
    storedBytes: Map<number, number> | undefined;
    /** Whether the stored parts were compared with the file since the server was last asked. */
    isChecked: boolean;
    isCompleting: boolean;
    /** Whether the upload was completed, so that the server accepts no more parts. */
    isOver: boolean;
}
/**
 * Starts an upload. The signal ends the waits between attempts at once, but the request itself only after a delay. A
 * request aborted at once would not reveal which upload it opened.
 *
 * @param beside a session that the new one may replace. Its parts count towards the quota, so the new upload declares
 * no size.
 * @throws {UploadError}, or the signal's reason
 */
export declare function openSession(job: Job, signal: AbortSignal, beside?: Session): Promise<Session>;
/** Builds the session of a record. */
export declare function sessionOf({ api, resume }: Job, record: ResumeRecord, isResumed: boolean): Session;
/** Deletes the record of a session, unless another session has replaced it. */
export declare function forgetSession({ resume }: Job, { upload }: Session): Promise<void>;
/** Deletes a session's record and its stored parts. Never throws. */
export declare function abandon(job: Job, session: Session): Promise<void>;
