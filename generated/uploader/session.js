// Made from uploader/ by `npm run generate`. Never edit it by hand.
import { chunkSize } from './chunk-plan.js';
import { credentialsFrom, isUploadToken } from './credentials.js';
import { retriesOf } from './job.js';
import { openLedger } from './ledger.js';
import { readRecord } from './resume-store.js';
import { openBrake, retrying } from './retry.js';
import { lingering } from './time-limits.js';
/** A start that is no longer wanted is waited for so long, to learn what it opened. */
const startLingersMs = 5_000;
/** What is not removed by then the server removes itself, a day later. */
const abandonWithinMs = 15_000;
/**
 * Starts an upload. The signal ends only the waits between tries, and the request itself a while later: whoever aborts that
 * at once does not learn what it opened.
 *
 * @param beside one that may be dropped for it: its parts count towards the quota, so the new one says nothing of its size
 * @throws {UploadError}, or the signal's reason
 */
export async function openSession(job, signal, beside) {
    signal.throwIfAborted();
    const { file, fileName, query, resume } = job;
    const description = {
        filename: fileName.slice(-255),
        ...(!beside && { size: file.size }),
        ...(isMediaType(file.type) && { mime_type: file.type }),
    };
    const start = () => lingering(startLingersMs, signal, (late) => job.api.start({ ...query, ...description }, late));
    const { started, credential } = await retrying(start, retriesOf(job, signal));
    const { min_size: minSizeBytes, max_size: maxSizeBytes, max_parts: maxParts } = started.chunk;
    const record = {
        version: 2,
        upload: started.upload,
        id: started.id,
        chunkSizeBytes: chunkSize(file.size, { minSizeBytes, maxSizeBytes, maxParts }, job.chunkSizeBytes),
        partSha256: {},
        ...(isUploadToken(credential) && { uploadToken: credential }),
        startedAt: Date.now(),
    };
    if (!beside)
        await resume?.store.set(resume.key, record);
    return sessionOf(job, record, false);
}
/** The session that a record stands for. */
export function sessionOf({ api, resume }, record, isResumed) {
    const { upload, id, chunkSizeBytes, uploadToken, completingAt } = record;
    return {
        upload,
        id,
        chunkSizeBytes,
        api: uploadToken === undefined ? api : api.as(credentialsFrom(uploadToken)),
        uploadToken,
        isResumed,
        completionAskedAt: completingAt,
        ledger: openLedger(resume, record),
        storedBytes: isResumed ? undefined : new Map(),
        isChecked: !isResumed,
        isCompleting: completingAt !== undefined,
        isOver: false,
    };
}
/** Drops what was remembered of a session, unless another one has taken its place. */
export async function forgetSession({ resume }, { upload }) {
    const record = readRecord(await resume?.store.get(resume.key));
    if (record?.upload === upload)
        await resume?.store.delete(resume.key);
}
/** Forgets a session and removes what is stored of it, as well as it can be; fails for nothing. */
export async function abandon(job, session) {
    const late = new AbortController();
    const timer = setTimeout(() => late.abort(), abandonWithinMs);
    try {
        await forgetSession(job, session);
        // A brake of its own: a pause does not keep it waiting.
        await retrying(() => session.api.abort(session.upload, late.signal), {
            policy: job.policy,
            signal: late.signal,
            brake: openBrake(),
        });
    }
    catch {
        // Already gone, or out of reach.
    }
    finally {
        clearTimeout(timer);
    }
}
/** The contract's pattern of `mime_type`; what a browser does not know is an empty text. */
function isMediaType(type) {
    return type.length <= 255 && /^[^/\s]+\/[^/\s]+(\s*;.*)?$/.test(type);
}
