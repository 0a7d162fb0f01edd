// Made from uploader/ by `npm run generate`. Never edit it by hand.
const windowMs = 15_000;
const leastMs = 2_000;
export function openSpeed(now = () => performance.now()) {
    let samples = [];
    return {
        sample(movedBytes) {
            const at = now();
            samples.push({ at, movedBytes });
            // One sample older than the window stays, so that the samples cover all of it.
            while (samples.length > 2 && samples[1].at < at - windowMs)
                samples.shift();
        },
        secondsFor(bytes) {
            const [first, last] = [samples[0], samples.at(-1)];
            if (!first || !last || last.at - first.at < leastMs)
                return undefined;
            const bytesPerSecond = ((last.movedBytes - first.movedBytes) / (last.at - first.at)) * 1000;
            return bytesPerSecond > 0 ? bytes / bytesPerSecond : undefined;
        },
        reset: () => void (samples = []),
    };
}
