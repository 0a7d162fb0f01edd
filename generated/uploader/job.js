// Made from uploader/ by `npm run generate`. Never edit it by hand.
import { connectApi } from './api.js';
import { guarded } from './callbacks.js';
import { credentialsFrom } from './credentials.js';
import { indexedDbStore } from './indexed-db-store.js';
import { watchConnectivity } from './connectivity.js';
import { objectName } from './object-name.js';
import { partSumsOf } from './part-sums.js';
import { probeOf } from './probe.js';
import { forgiving, resumeKey } from './resume-store.js';
import { policyOf, retrying, sharedBackoff } from './retry.js';
import { progressCounter } from './progress.js';
import { unlessAborted } from './time-limits.js';
import { UploadError } from './upload-error.js';
/** The server accepts this many parts of an account at a time. */
const mostParts = 6;
/**
 * Builds the job of one upload.
 *
 * @throws {TypeError} when there is neither `baseUrl` nor a page origin
 */
export function jobOf(file, options, control) {
    const baseUrl = options.baseUrl ?? globalThis.location?.origin;
    if (baseUrl === undefined)
        throw new TypeError('uploadFile() needs "baseUrl" outside a page. Set it to the address of the server, without /v1.');
    const { name } = file;
    const fileName = options.fileName ?? name ?? 'file';
    const query = { name: objectName(fileName), ...options.query };
    const credentials = credentialsFrom(options.credential);
    return {
        file,
        fileName,
        query,
        credentials,
        api: connectApi({ baseUrl, credentials, fetch: options.fetch }),
        concurrency: Math.max(1, options.concurrency ?? mostParts),
        chunkSizeBytes: options.chunkSizeBytes,
        hasChecksums: options.checksum !== 'none',
        sumOf: partSumsOf(file),
        policy: policyOf(options.retry),
        backoff: sharedBackoff(control),
        connectivity: watchConnectivity({ probe: probeOf(baseUrl, options.fetch), tell: control.setDown }),
        progress: progressCounter(file.size, guarded(options.onProgress)),
        resume: resumeOf(file, options, { fileName, baseUrl, query }),
    };
}
/** Returns how the job's requests are retried. */
export function retriesOf({ policy, backoff, connectivity }, signal) {
    return { policy, backoff, connectivity, signal };
}
/**
 * Returns the current credential. If its address cannot be reached, the call is retried like a request. Any other
 * failure is final.
 *
 * @throws {UploadError}, or the signal's reason
 */
export async function credentialOf(job, signal) {
    const asked = await retrying(async () => {
        try {
            return { credential: await unlessAborted(job.credentials.current(), signal) };
        }
        catch (error) {
            if (error instanceof UploadError && error.code === 'NETWORK_ERROR')
                throw error;
            return { error };
        }
    }, retriesOf(job, signal));
    if ('error' in asked)
        throw asked.error;
    return asked.credential;
}
function resumeOf(file, options, to) {
    const place = options.resumeStore === undefined ? ownStore() : options.resumeStore;
    // Without checksums, nothing shows whether the file is still the same.
    if (!place || options.checksum === 'none' || !globalThis.crypto?.subtle)
        return undefined;
    const { lastModified: modifiedAt = 0 } = file;
    const key = resumeKey({ ...to, sizeBytes: file.size, mimeType: file.type, modifiedAt, scope: options.resumeScope });
    return { store: forgiving(place), key, place, isVouched: options.resumeScope !== undefined };
}
let pageStore;
function ownStore() {
    return typeof indexedDB === 'undefined' ? undefined : (pageStore ??= indexedDbStore());
}
