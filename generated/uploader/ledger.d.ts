// Made from uploader/ by `npm run generate`. Never edit it by hand.
import type { Job } from './job.js';
import type { ResumeRecord } from './resume-store.js';
/**
 * The record of one upload while it is in use. What it says of a part holds for the bytes that the server keeps of it,
 * whenever the page ends: a part is written down before it is first sent, and crossed out before others take its place.
 */
export interface Ledger {
    /** SHA-256 of what the server keeps of a part, if it keeps any; undefined when nothing is known of it. */
    sumOf(part: number): string | undefined;
    /** The server keeps a part of which nothing is known. */
    distrust(part: number): void;
    willSend(part: number, sha256: string): Promise<void>;
    hasSent(part: number, sha256: string): Promise<void>;
    /** Remembers that the file may be there from now on. */
    markCompleting(): Promise<void>;
}
/** @param begun the record as it was read or is to be kept; it is written with the first change */
export declare function openLedger(resume: Job['resume'], begun: ResumeRecord): Ledger;
