// Made from uploader/ by `npm run generate`. Never edit it by hand.
import { partsOf } from './chunk-plan.js';
import { retriesOf } from './job.js';
import { retrying } from './retry.js';
import { UploadError } from './upload-error.js';
/**
 * Asks which parts are stored, unless it is known.
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
        // A completed upload has no status any more, but gives its answer again for a day.
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
 * Compares what the server keeps with the file, part after part, by what was remembered when it was sent. Parts that
 * differ, and those of which nothing is known, count as not stored from then on.
 *
 * @returns whether all that is stored is this file's
 * @throws {UploadError} FILE_UNREADABLE, or the signal's reason
 */
export async function checkStored(job, { storedBytes, chunkSizeBytes, ledger }, signal) {
    const stored = storedBytes;
    let isSame = true;
    // One at a time: other work of the page goes before.
    for (const part of partsOf(job.file.size, chunkSizeBytes)) {
        const { number, startBytes, endBytes } = part;
        if (stored.get(number) !== endBytes - startBytes)
            continue;
        const known = ledger.sumOf(number);
        if (known !== undefined && known === (await job.sumOf(part)))
            job.tally.keep(number, endBytes - startBytes);
        else {
            isSame = false;
            stored.delete(number);
            ledger.distrust(number);
        }
        await job.brake.pass(signal);
    }
    return isSame;
}
