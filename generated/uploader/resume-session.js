// Made from uploader/ by `npm run generate`. Never edit it by hand.
import { partsOf } from './chunk-plan.js';
import { credentialOf } from './job.js';
import { readRecord } from './resume-store.js';
import { abandon, openSession, sessionOf } from './session.js';
import { learnStored } from './stored-parts.js';
import { UploadError } from './upload-error.js';
/**
 * Resumes the recorded upload of the same file. Its first part must match the file, and the current credential must
 * lead to the same destination. May return a newly started session instead.
 *
 * @returns undefined when there is nothing to resume
 * @throws {UploadError}, or the signal's reason
 */
export async function resumeSession(job, signal) {
    const { resume, file } = job;
    const record = readRecord(await resume?.store.get(resume.key));
    if (!resume || !record)
        return undefined;
    const known = record.partSha256[1];
    const isOther = known !== undefined && known !== (await job.sumOf(partsOf(file.size, record.chunkSizeBytes)[0]));
    signal.throwIfAborted();
    if (isOther)
        return undefined;
    const session = sessionOf(job, record, true);
    if (record.uploadToken === undefined || resume.isVouched)
        return session;
    const credential = await credentialOf(job, signal);
    return credential === record.uploadToken ? session : bySameDestination(job, session, signal);
}
/**
 * A token's pinned values show only in the id of an upload that it starts, so this function starts one. If its
 * destination is the same, the new upload is dropped for the old one, which already has parts. Otherwise the new upload
 * continues.
 */
async function bySameDestination(job, old, signal) {
    try {
        await learnStored(job, old, signal);
    }
    catch (error) {
        if (error instanceof UploadError && !error.retryable)
            return undefined;
        throw error;
    }
    const fresh = await openSession(job, signal, old);
    if (destination(fresh.id) !== destination(old.id))
        return fresh;
    await abandon(job, fresh);
    return old;
}
/** Removes the random hash from an id. The rest is account, visibility, prefix, name, expiry and extension. */
function destination(id) {
    return id.replace(/_[a-z0-9]{16}(?=(-ex[0-9]+h?)?(\.[a-z0-9.]+)?$)/, '');
}
