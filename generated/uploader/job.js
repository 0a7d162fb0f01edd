// Made from uploader/ by `npm run generate`. Never edit it by hand.
import { connectApi } from './api.js';
import { guarded } from './callbacks.js';
import { credentialsFrom } from './credentials.js';
import { indexedDbStore } from './indexed-db-store.js';
import { objectName } from './object-name.js';
import { partSumsOf } from './part-sums.js';
import { forgiving, resumeKey } from './resume-store.js';
import { defaultRetryPolicy, openBrake } from './retry.js';
import { openTally } from './tally.js';
/** Parts of an account that the server takes at a time. */
const mostParts = 6;
/** @throws {TypeError} when nothing says where the server is */
export function jobOf(file, options) {
    const baseUrl = options.baseUrl ?? globalThis.location?.origin;
    if (baseUrl === undefined)
        throw new TypeError('uploadFile() needs "baseUrl" outside of a page: the address of the server, without /v1');
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
        policy: { ...defaultRetryPolicy, ...options.retry },
        brake: openBrake(),
        tally: openTally(file.size, guarded(options.onProgress)),
        resume: resumeOf(file, options, { fileName, baseUrl, query }),
    };
}
function resumeOf(file, options, to) {
    const place = options.resumeStore === undefined ? ownStore() : options.resumeStore;
    // Without checksums nobody could tell whether it is still the same file.
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
