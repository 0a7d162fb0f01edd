// Made from uploader/ by `npm run generate`. Never edit it by hand.
/** Returns the key of a record. Equal fingerprints have equal keys, whatever the order of the query. */
export function resumeKey({ fileName, sizeBytes, mimeType, modifiedAt, baseUrl, query, scope }) {
    const destination = Object.entries(query).filter(([, value]) => value !== undefined);
    return JSON.stringify([
        fileName,
        sizeBytes,
        mimeType,
        modifiedAt,
        baseUrl,
        scope ?? null,
        destination.sort(([a], [b]) => (a < b ? -1 : 1)),
    ]);
}
/** Validates a stored record. Returns `undefined` for anything else, because other scripts can write to the store. */
export function readRecord(kept) {
    const record = kept;
    const isOne = record?.version === 2 &&
        typeof record.upload === 'string' &&
        typeof record.id === 'string' &&
        Number.isSafeInteger(record.chunkSizeBytes) &&
        record.chunkSizeBytes > 0 &&
        typeof record.partSha256 === 'object' &&
        record.partSha256 !== null;
    return isOne ? record : undefined;
}
/** A store that does not respond within this time is given up. */
const storeAnswersWithinMs = 3_000;
/** Wraps a store so that its failure or silence never fails the upload. The upload is only not resumable then. */
export function forgiving(store) {
    let isGivenUp = false;
    const calmly = async (ask) => {
        if (isGivenUp)
            return undefined;
        let timer;
        const late = new Promise((resolve) => {
            timer = setTimeout(() => resolve(void (isGivenUp = true)), storeAnswersWithinMs);
        });
        try {
            return await Promise.race([ask(), late]);
        }
        catch {
            return undefined;
        }
        finally {
            clearTimeout(timer);
        }
    };
    return {
        get: (key) => calmly(() => store.get(key)),
        set: (key, record) => calmly(() => store.set(key, record)),
        delete: (key) => calmly(() => store.delete(key)),
    };
}
