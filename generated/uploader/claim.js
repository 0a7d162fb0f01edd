// Made from uploader/ by `npm run generate`. Never edit it by hand.
/** Keys in use in this page or program, for each place where records are kept. */
const inUse = new WeakMap();
/**
 * Claims the record of an upload; `undefined` while another upload of the same file for the same destination has it, in this
 * page or another one of its origin. Two that shared one would undo each other's work.
 */
export async function claimRecord({ resume }) {
    if (!resume)
        return undefined;
    const { place, key } = resume;
    const keys = inUse.get(place) ?? new Set();
    inUse.set(place, keys);
    if (keys.has(key))
        return undefined;
    keys.add(key);
    const letGo = await lockAmongPages(key);
    if (!letGo)
        keys.delete(key);
    return letGo && { release: () => (letGo(), void keys.delete(key)) };
}
/** Node has the same locks, but no place that its processes share. */
function lockAmongPages(key) {
    const locks = typeof indexedDB === 'undefined' ? undefined : globalThis.navigator?.locks;
    const none = () => { };
    if (!locks)
        return Promise.resolve(none);
    return new Promise((resolve) => {
        const hold = (lock) => (lock ? new Promise((release) => resolve(release)) : resolve(undefined));
        // A frame without an origin of its own has no locks, nor anyone to share records with.
        locks.request(`cubby-upload ${key}`, { ifAvailable: true }, hold).catch(() => resolve(none));
    });
}
