// Made from uploader/ by `npm run generate`. Never edit it by hand.
import { chunkSize } from './chunk-plan.js';
import { credentialsFrom, isUploadToken } from './credentials.js';
import { readRecord } from './resume-store.js';
import { retrying } from './retry.js';
import { sha256 } from './sha256.js';
/**
 * Starts an upload. The signal ends only the waits between tries: whoever aborts the request itself does not learn what
 * it opened.
 *
 * @throws {UploadError}, or the signal's reason
 */
export async function openSession(job, signal) {
    const { file, fileName, query, resume } = job;
    const description = { filename: fileName.slice(-255), size: file.size, ...(isMediaType(file.type) && { mime_type: file.type }) };
    const { started, credential } = await retrying(() => job.api.start({ ...query, ...description }), { policy: job.policy, signal, brake: job.brake });
    const { min_size: minSizeBytes, max_size: maxSizeBytes, max_parts: maxParts } = started.chunk;
    const chunkSizeBytes = chunkSize(file.size, { minSizeBytes, maxSizeBytes, maxParts }, job.chunkSizeBytes);
    const firstPartSha256 = job.hasChecksums || resume ? await sha256(file.slice(0, chunkSizeBytes)) : undefined;
    const record = firstPartSha256 === undefined
        ? undefined
        : {
            version: 1,
            upload: started.upload,
            chunkSizeBytes,
            firstPartSha256,
            ...(isUploadToken(credential) && { uploadToken: credential }),
            startedAt: Date.now(),
        };
    if (record)
        await resume?.store.set(resume.key, record);
    return sessionOf(job, { upload: started.upload, chunkSizeBytes, firstPartSha256, uploadToken: isUploadToken(credential) ? credential : undefined, record, storedBytes: new Map() });
}
/** Takes up what was remembered of the same file, once its first part is seen to be the same. */
export async function resumeSession(job, signal) {
    const { resume, file } = job;
    const record = readRecord(await resume?.store.get(resume.key));
    if (!record)
        return undefined;
    const firstPartSha256 = await sha256(file.slice(0, record.chunkSizeBytes));
    signal.throwIfAborted();
    if (firstPartSha256 !== record.firstPartSha256)
        return undefined;
    return sessionOf(job, { ...record, uploadToken: record.uploadToken, record, storedBytes: undefined });
}
/** Drops what was remembered. */
export async function forgetSession({ resume }) {
    await resume?.store.delete(resume.key);
}
function sessionOf({ api, resume }, { upload, chunkSizeBytes, firstPartSha256, uploadToken, record, storedBytes }) {
    return {
        upload,
        chunkSizeBytes,
        firstPartSha256,
        storedBytes,
        api: uploadToken === undefined ? api : api.as(credentialsFrom(uploadToken)),
        uploadToken,
        isResumed: storedBytes === undefined,
        isCompleting: record?.isCompleting ?? false,
        async markCompleting() {
            if (this.isCompleting)
                return;
            this.isCompleting = true;
            if (record)
                await resume?.store.set(resume.key, { ...record, isCompleting: true });
        },
    };
}
/** The contract's pattern of `mime_type`; what a browser does not know is an empty text. */
function isMediaType(type) {
    return type.length <= 255 && /^[^/\s]+\/[^/\s]+(\s*;.*)?$/.test(type);
}
