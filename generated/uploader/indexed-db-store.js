// Made from uploader/ by `npm run generate`. Never edit it by hand.
const records = 'uploads';
/** The server ends an upload after a day without a part, so what is older than this is of no use. */
const keptForMs = 30 * 86_400_000;
/** Keeps records in the browser's IndexedDB, for the page's origin. They outlive reloads and crashes. */
export function indexedDbStore(name = 'cubby-uploader') {
    let opening;
    const transact = async (mode, ask) => {
        opening ??= open(name).catch((error) => {
            opening = undefined;
            throw error;
        });
        const store = (await opening).transaction(records, mode).objectStore(records);
        return answerOf(ask(store));
    };
    return {
        get: (key) => transact('readonly', (store) => store.get(key)),
        set: (key, record) => transact('readwrite', (store) => store.put(record, key)),
        delete: (key) => transact('readwrite', (store) => store.delete(key)),
    };
}
async function open(name) {
    const request = indexedDB.open(name, 1);
    request.onupgradeneeded = () => void request.result.createObjectStore(records);
    const database = await answerOf(request);
    // Another tab with a newer version waits for this one to let go.
    database.onversionchange = () => database.close();
    sweep(database, Date.now() - keptForMs);
    return database;
}
function sweep(database, before) {
    const request = database.transaction(records, 'readwrite').objectStore(records).openCursor();
    request.onsuccess = () => {
        const cursor = request.result;
        if (!cursor)
            return;
        if (!(cursor.value.startedAt >= before))
            cursor.delete();
        cursor.continue();
    };
}
function answerOf(request) {
    return new Promise((resolve, reject) => {
        request.onsuccess = () => resolve(request.result);
        request.onerror = () => reject(request.error);
    });
}
