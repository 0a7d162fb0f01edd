// Made from uploader/ by `npm run generate`. Never edit it by hand.
/** Collects finished uploads for this long, so that a hundred of them become one sentence. */
const gatherMs = 1_000;
export function makeAnnouncer(out, texts) {
    let completed = [];
    let failed = [];
    let timer;
    const tell = () => {
        timer = undefined;
        const { saysCompleted, saysCompletedMany, saysFailed, saysFailedMany } = texts();
        const sentences = [];
        if (completed.length > 0)
            sentences.push(completed.length === 1 ? saysCompleted(completed[0]) : saysCompletedMany(completed.length));
        if (failed.length > 0)
            sentences.push(failed.length === 1 ? saysFailed(...failed[0]) : saysFailedMany(failed.length));
        out.textContent = sentences.join(' ');
        completed = [];
        failed = [];
    };
    const later = () => void (timer ??= setTimeout(tell, gatherMs));
    return {
        say: (text) => void (out.textContent = text),
        completed(file) {
            completed.push(file);
            later();
        },
        failed(file, error) {
            failed.push([file, error]);
            later();
        },
    };
}
