// Made from uploader/ by `npm run generate`. Never edit it by hand.
/** @param begun the record as it was read, or a new one, which is written with the first change */
export function recordWriter(resume, begun) {
    const sums = { ...begun.partSha256 };
    const distrusted = new Set();
    let record = begun;
    let written = Promise.resolve();
    const write = async () => {
        if (!resume)
            return;
        const next = (record = { ...record, partSha256: { ...sums } });
        // Writes run one after the other, because a slow store could otherwise keep an older record.
        await (written = written.then(() => resume.store.set(resume.key, next)));
    };
    return {
        sumOf: (part) => sums[part],
        distrust: (part) => void distrusted.add(part),
        async willSend(part, sha256) {
            const known = sums[part];
            if (known === sha256 || (known === undefined && distrusted.has(part)))
                return;
            if (known === undefined)
                sums[part] = sha256;
            else
                delete sums[part];
            await write();
        },
        async hasSent(part, sha256) {
            if (sums[part] === sha256)
                return;
            sums[part] = sha256;
            await write();
        },
        async markCompleting() {
            record = { ...record, completingAt: Date.now() };
            await write();
        },
    };
}
