// Made from uploader/ by `npm run generate`. Never edit it by hand.
import type { Job } from './job.js';
import type { ResumeRecord } from './resume-store.js';
/**
 * Updates the record of one upload while the upload runs. A checksum in the record always matches the bytes that the
 * server keeps, even if the page ends abruptly. For this, a part is recorded before it is first sent, and deleted
 * before other bytes replace it.
 */
export interface RecordWriter {
    /** SHA-256 of the stored bytes of a part. Undefined when nothing is known about it. */
    sumOf(part: number): string | undefined;
    /** Marks a part that the server keeps but whose bytes are unknown. */
    distrust(part: number): void;
    willSend(part: number, sha256: string): Promise<void>;
    hasSent(part: number, sha256: string): Promise<void>;
    /** Records that the file may exist from now on. */
    markCompleting(): Promise<void>;
}
/** @param begun the record as it was read, or a new one, which is written with the first change */
export declare function recordWriter(resume: Job['resume'], begun: ResumeRecord): RecordWriter;
