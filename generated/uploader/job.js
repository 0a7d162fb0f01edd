// Made from uploader/ by `npm run generate`. Never edit it by hand.
import { connectApi } from './api.js';
import { credentialsFrom } from './credentials.js';
import { indexedDbStore } from './indexed-db-store.js';
import { objectName } from './object-name.js';
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
    const { name, lastModified = 0 } = file;
    const fileName = options.fileName ?? name ?? 'file';
    const query = { name: objectName(fileName), ...options.query };
    const credentials = credentialsFrom(options.credential);
    const store = options.resumeStore === undefined ? ownStore() : options.resumeStore;
    return {
        file,
        fileName,
        query,
        credentials,
        api: connectApi({ baseUrl, credentials, fetch: options.fetch }),
        concurrency: Math.max(1, options.concurrency ?? mostParts),
        chunkSizeBytes: options.chunkSizeBytes,
        hasChecksums: options.checksum !== 'none',
        policy: { ...defaultRetryPolicy, ...options.retry },
        brake: openBrake(),
        tally: openTally(file.size, options.onProgress ?? (() => { })),
        // Without WebCrypto nobody could tell whether it is still the same file.
        resume: store && globalThis.crypto?.subtle ? { store: forgiving(store), key: resumeKey({ fileName, sizeBytes: file.size, modifiedAt: lastModified, baseUrl, query }) } : undefined,
    };
}
let pageStore;
function ownStore() {
    return typeof indexedDB === 'undefined' ? undefined : (pageStore ??= indexedDbStore());
}
