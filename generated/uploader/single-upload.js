// Made from uploader/ by `npm run generate`. Never edit it by hand.
import { receiptOf } from './api.js';
import { isCertainlyUnsent } from './certainly-unsent.js';
import { isUploadToken } from './credentials.js';
import { credentialOf, retriesOf } from './job.js';
import { retrying } from './retry.js';
import { assertReadable, sha256 } from './sha256.js';
import { UploadError } from './upload-error.js';
/**
 * Sends a file in one request.
 *
 * @throws {UploadError}, or the signal's reason
 */
export async function uploadInOne(job, signal) {
    const { api, query, fileName, progress } = job;
    const file = new File([job.file], fileName, { type: job.file.type });
    const sum = job.hasChecksums ? await sha256(job.file) : undefined;
    const canRepeat = replacesItself(query, await credentialOf(job, signal));
    signal.throwIfAborted();
    const send = async ({ signal: attempt, moved }) => {
        try {
            return await api.uploadObject(file, { ...query, ...(sum !== undefined && { checksum_sha256: sum }) }, {
                // An attempt that could leave a second copy behind is never aborted as stuck.
                signal: canRepeat ? attempt : signal,
                onSent: (sentBytes) => {
                    moved(sentBytes >= file.size);
                    // The multipart form adds some bytes to the file's own.
                    progress.set(1, Math.min(sentBytes, file.size));
                },
            });
        }
        catch (error) {
            progress.clear();
            await assertReadable(job.file, error);
            if (error instanceof UploadError &&
                error.code === 'NETWORK_ERROR' &&
                !canRepeat &&
                !isCertainlyUnsent(error.cause))
                throw answerLost(error);
            throw error;
        }
    };
    const answer = await retrying(send, retriesOf(job, signal));
    progress.set(1, file.size);
    const { id, url, size, expires_at: expiresAt } = answer;
    return {
        id,
        url,
        isPrivate: answer.private,
        sizeBytes: size,
        sha256: answer.sha256,
        ...receiptOf(answer),
        ...(expiresAt !== undefined && { expiresAt }),
    };
}
/**
 * Returns whether a second upload would replace the first. With a hash in the name it would add a copy. With
 * `overwrite=false` it would be refused.
 */
function replacesItself(query, credential) {
    return !query.private && !query.security_hash && query.overwrite !== false && !isUploadToken(credential);
}
function answerLost(cause) {
    const message = 'The connection broke before the server could say whether the file is stored. ' +
        'Check whether it is there before you upload it again.';
    return new UploadError({ code: 'ANSWER_LOST', message, retryable: false, cause });
}
