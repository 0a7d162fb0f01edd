// Made from uploader/ by `npm run generate`. Never edit it by hand.
import { type Job } from './job.js';
import type { Session } from './session.js';
/**
 * Asks which parts are stored, unless it is known.
 *
 * @throws {UploadError}, or the signal's reason
 */
export declare function learnStored(job: Job, session: Session, signal: AbortSignal): Promise<void>;
/**
 * Compares what the server keeps with the file, part after part, by what was remembered when it was sent. Parts that
 * differ, and those of which nothing is known, count as not stored from then on.
 *
 * @returns whether all that is stored is this file's
 * @throws {UploadError} FILE_UNREADABLE, or the signal's reason
 */
export declare function checkStored(job: Job, { storedBytes, chunkSizeBytes, ledger }: Session, signal: AbortSignal): Promise<boolean>;
