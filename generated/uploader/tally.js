// Made from uploader/ by `npm run generate`. Never edit it by hand.
export function openTally(totalBytes, report) {
    const byPart = new Map();
    const kept = new Map();
    let sentBytes = 0;
    let resumedBytes = 0;
    const progress = () => ({ sentBytes, totalBytes, resumedBytes });
    const set = (part, bytes) => {
        const before = byPart.get(part) ?? 0;
        if (before === bytes)
            return;
        byPart.set(part, bytes);
        sentBytes += bytes - before;
        report(progress());
    };
    return {
        get progress() {
            return progress();
        },
        set(part, bytes) {
            // The part is sent again, so its bytes no longer count as resumed.
            resumedBytes -= kept.get(part) ?? 0;
            kept.delete(part);
            set(part, bytes);
        },
        keep(part, bytes) {
            if (byPart.get(part) === bytes)
                return;
            resumedBytes += bytes - (kept.get(part) ?? 0);
            kept.set(part, bytes);
            set(part, bytes);
        },
        clear() {
            if (sentBytes === 0)
                return;
            byPart.clear();
            kept.clear();
            sentBytes = 0;
            resumedBytes = 0;
            report(progress());
        },
    };
}
