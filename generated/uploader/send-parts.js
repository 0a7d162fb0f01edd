// Made from uploader/ by `npm run generate`. Never edit it by hand.
import { partsOf } from './chunk-plan.js';
import { retriesOf } from './job.js';
import { retrying } from './retry.js';
import { assertReadable } from './sha256.js';
/**
 * Sends every part that is not stored, several at a time. The first part that fails for good stops the others.
 *
 * @throws {UploadError}, or the signal's reason
 */
export async function sendParts(job, session, signal) {
    const stored = session.storedBytes;
    const missing = [];
    for (const part of partsOf(job.file.size, session.chunkSizeBytes)) {
        const bytes = part.endBytes - part.startBytes;
        const isStored = stored.get(part.number) === bytes;
        if (isStored)
            job.progress.resume(part.number, bytes);
        else
            job.progress.set(part.number, 0);
        if (!isStored)
            missing.push(part);
    }
    const all = new AbortController();
    const stop = () => all.abort(signal.reason);
    if (signal.aborted)
        stop();
    signal.addEventListener('abort', stop, { once: true });
    let failure;
    const work = async () => {
        try {
            for (let part = missing.shift(); part && !all.signal.aborted; part = missing.shift()) {
                await sendPart(job, session, part, all.signal);
                stored.set(part.number, part.endBytes - part.startBytes);
            }
        }
        catch (error) {
            failure ??= { error };
            all.abort(error);
        }
    };
    // Waits for all of them, so that nothing is sent after a pause or a failure.
    await Promise.all(Array.from({ length: Math.min(job.concurrency, missing.length) }, work));
    signal.removeEventListener('abort', stop);
    signal.throwIfAborted();
    if (failure)
        throw failure.error;
}
async function sendPart(job, session, part, signal) {
    const { file, progress, hasChecksums, sumOf } = job;
    const { number, startBytes, endBytes } = part;
    const bytes = file.slice(startBytes, endBytes);
    const sum = hasChecksums ? await sumOf(part) : undefined;
    signal.throwIfAborted();
    if (sum !== undefined)
        await session.record.willSend(number, sum);
    signal.throwIfAborted();
    const send = async ({ signal: attempt, moved }) => {
        const onSent = (sentBytes) => {
            moved(sentBytes >= bytes.size);
            progress.set(number, sentBytes);
        };
        try {
            await session.api.putPart({ upload: session.upload, number, bytes, sha256: sum }, { signal: attempt, onSent });
        }
        catch (error) {
            progress.set(number, 0);
            await assertReadable(bytes, error);
            throw error;
        }
    };
    await retrying(send, retriesOf(job, signal));
    if (sum !== undefined)
        await session.record.hasSent(number, sum);
    progress.set(number, endBytes - startBytes);
}
