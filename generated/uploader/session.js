// Made from uploader/ by `npm run generate`. Never edit it by hand.
import { chunkSize } from './chunk-plan.js';
import { credentialsFrom, isUploadToken } from './credentials.js';
import { retriesOf } from './job.js';
import { recordWriter } from './record-writer.js';
import { readRecord } from './resume-store.js';
import { retrying, sharedBackoff } from './retry.js';
import { lingering } from './time-limits.js';
/** After a cancellation, a start request may still run for this long, so that the upload it opened becomes known. */
const startLingersMs = 5_000;
/** Time limit for removing an upload. The server itself removes it a day later. */
const abandonWithinMs = 15_000;
/**
 * Starts an upload. The signal ends the waits between attempts at once, but the request itself only after a delay. A
 * request aborted at once would not reveal which upload it opened.
 *
 * @param beside a session that the new one may replace. Its parts count towards the quota, so the new upload declares
 * no size.
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
/** Builds the session of a record. */
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
        record: recordWriter(resume, record),
        storedBytes: isResumed ? undefined : new Map(),
        isChecked: !isResumed,
        isCompleting: completingAt !== undefined,
        isOver: false,
    };
}
/** Deletes the record of a session, unless another session has replaced it. */
export async function forgetSession({ resume }, { upload }) {
    const record = readRecord(await resume?.store.get(resume.key));
    if (record?.upload === upload)
        await resume?.store.delete(resume.key);
}
/** Deletes a session's record and its stored parts. Never throws. */
export async function abandon(job, session) {
    const late = new AbortController();
    const timer = setTimeout(() => late.abort(), abandonWithinMs);
    try {
        await forgetSession(job, session);
        // It has its own backoff, so that a pause does not delay it.
        await retrying(() => session.api.abort(session.upload, late.signal), {
            policy: job.policy,
            signal: late.signal,
            backoff: sharedBackoff(),
        });
    }
    catch {
        // The upload is already gone, or the server is unreachable.
    }
    finally {
        clearTimeout(timer);
    }
}
/** Checks the contract's pattern of `mime_type`. Browsers give an empty string for an unknown type. */
function isMediaType(type) {
    return type.length <= 255 && /^[^/\s]+\/[^/\s]+(\s*;.*)?$/.test(type);
}
