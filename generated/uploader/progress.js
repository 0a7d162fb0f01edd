// Made from uploader/ by `npm run generate`. Never edit it by hand.
export function progressCounter(totalBytes, report) {
    const byPart = new Map();
    const resumed = new Map();
    let sentBytes = 0;
    let resumedBytes = 0;
    const current = () => ({ sentBytes, totalBytes, resumedBytes });
    const set = (part, bytes) => {
        const before = byPart.get(part) ?? 0;
        if (before === bytes)
            return;
        byPart.set(part, bytes);
        sentBytes += bytes - before;
        report(current());
    };
    return {
        get current() {
            return current();
        },
        set(part, bytes) {
            // The part is sent again, so its bytes no longer count as resumed.
            resumedBytes -= resumed.get(part) ?? 0;
            resumed.delete(part);
            set(part, bytes);
        },
        resume(part, bytes) {
            if (byPart.get(part) === bytes)
                return;
            resumedBytes += bytes - (resumed.get(part) ?? 0);
            resumed.set(part, bytes);
            set(part, bytes);
        },
        clear() {
            if (sentBytes === 0)
                return;
            byPart.clear();
            resumed.clear();
            sentBytes = 0;
            resumedBytes = 0;
            report(current());
        },
    };
}
