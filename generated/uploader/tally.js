// Made from uploader/ by `npm run generate`. Never edit it by hand.
export function openTally(totalBytes, report) {
    const byPart = new Map();
    let sentBytes = 0;
    const tell = () => report({ sentBytes, totalBytes });
    return {
        get progress() {
            return { sentBytes, totalBytes };
        },
        set(part, bytes) {
            const before = byPart.get(part) ?? 0;
            if (before === bytes)
                return;
            byPart.set(part, bytes);
            sentBytes += bytes - before;
            tell();
        },
        clear() {
            if (sentBytes === 0)
                return;
            byPart.clear();
            sentBytes = 0;
            tell();
        },
    };
}
