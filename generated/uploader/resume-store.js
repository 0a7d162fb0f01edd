// Made from uploader/ by `npm run generate`. Never edit it by hand.
/** The key of a record: equal for equal fingerprints, in whatever order the query was written. */
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
/** Reads a record back; `undefined` for whatever is none, because anyone may write to the place where it is kept. */
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
/** A store that has not answered by then will not. */
const storeAnswersWithinMs = 3_000;
/** A store that fails or never answers must not fail the upload: it is only not resumable then. */
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
