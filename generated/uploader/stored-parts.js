// Made from uploader/ by `npm run generate`. Never edit it by hand.
import { partsOf } from './chunk-plan.js';
import { retriesOf } from './job.js';
import { retrying } from './retry.js';
import { UploadError } from './upload-error.js';
/**
 * Asks the server which parts are stored, unless that is known.
 *
 * @throws {UploadError}, or the signal's reason
 */
export async function learnStored(job, session, signal) {
    if (session.storedBytes)
        return;
    session.isChecked = !session.isResumed;
    try {
        const { parts } = await retrying(() => session.api.status(session.upload, signal), retriesOf(job, signal));
        session.storedBytes = new Map(parts.map(({ part, size }) => [part, size]));
    }
    catch (error) {
        // A completed upload has no status any more, but the server repeats its completion response for a day.
        if (!(session.isCompleting && error instanceof UploadError && error.code === 'UPLOAD_NOT_FOUND'))
            throw error;
        session.isOver = true;
        session.storedBytes = new Map(partsOf(job.file.size, session.chunkSizeBytes).map(({ number, startBytes, endBytes }) => [
            number,
            endBytes - startBytes,
        ]));
    }
}
/**
 * Compares the stored parts with the file, by the checksums recorded when they were sent. Parts that differ or are
 * unknown count as not stored from then on.
 *
 * @returns whether all stored parts belong to this file
 * @throws {UploadError} FILE_UNREADABLE, or the signal's reason
 */
export async function checkStored(job, { storedBytes, chunkSizeBytes, record }, signal) {
    const stored = storedBytes;
    let isSame = true;
    // One at a time, so that the page stays responsive.
    for (const part of partsOf(job.file.size, chunkSizeBytes)) {
        const { number, startBytes, endBytes } = part;
        if (stored.get(number) !== endBytes - startBytes)
            continue;
        const known = record.sumOf(number);
        if (known !== undefined && known === (await job.sumOf(part)))
            job.progress.resume(number, endBytes - startBytes);
        else {
            isSame = false;
            stored.delete(number);
            record.distrust(number);
        }
        await job.backoff.wait(signal);
    }
    return isSame;
}
