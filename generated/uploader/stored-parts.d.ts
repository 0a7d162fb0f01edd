// Made from uploader/ by `npm run generate`. Never edit it by hand.
import { type Job } from './job.js';
import type { Session } from './session.js';
/**
 * Asks the server which parts are stored, unless that is known.
 *
 * @throws {UploadError}, or the signal's reason
 */
export declare function learnStored(job: Job, session: Session, signal: AbortSignal): Promise<void>;
/**
 * Compares the stored parts with the file, by the checksums recorded when they were sent. Parts that differ or are
 * unknown count as not stored from then on.
 *
 * @returns whether all stored parts belong to this file
 * @throws {UploadError} FILE_UNREADABLE, or the signal's reason
 */
export declare function checkStored(job: Job, { storedBytes, chunkSizeBytes, record }: Session, signal: AbortSignal): Promise<boolean>;
