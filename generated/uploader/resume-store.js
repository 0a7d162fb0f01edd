// Made from uploader/ by `npm run generate`. Never edit it by hand.
/** The key of a record: equal for equal fingerprints, in whatever order the query was written. */
export function resumeKey({ fileName, sizeBytes, modifiedAt, baseUrl, query }) {
    const destination = Object.entries(query).filter(([, value]) => value !== undefined);
    return JSON.stringify([fileName, sizeBytes, modifiedAt, baseUrl, destination.sort(([a], [b]) => (a < b ? -1 : 1))]);
}
/** Reads a record back; `undefined` for whatever is none, because anyone may write to the place where it is kept. */
export function readRecord(kept) {
    const record = kept;
    const isOne = record?.version === 1 &&
        typeof record.upload === 'string' &&
        Number.isSafeInteger(record.chunkSizeBytes) &&
        record.chunkSizeBytes > 0 &&
        typeof record.firstPartSha256 === 'string';
    return isOne ? record : undefined;
}
/** A store that fails must not fail the upload: it is only not resumable then. */
export function forgiving(store) {
    const calmly = async (ask) => {
        try {
            return await ask();
        }
        catch {
            return undefined;
        }
    };
    return {
        get: (key) => calmly(() => store.get(key)),
        set: (key, record) => calmly(() => store.set(key, record)),
        delete: (key) => calmly(() => store.delete(key)),
    };
}
