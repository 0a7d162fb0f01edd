// Made from uploader/ by `npm run generate`. Never edit it by hand.
import { sleep } from './sleep.js';
import { UploadError } from './upload-error.js';
export const defaultRetryPolicy = {
    tries: 8,
    firstWaitMs: 500,
    longestWaitMs: 30_000,
    longestRetryAfterMs: 600_000,
    keepsTrying: false,
};
/** Returns the retry policy of one upload. It tries without end in a page, unless `tries` is given. Elsewhere it gives up. */
export function policyOf(wanted = {}) {
    return {
        ...defaultRetryPolicy,
        keepsTrying: typeof document !== 'undefined' && wanted.tries === undefined,
        ...wanted,
    };
}
/** The longest wait while the server cannot be reached: a try costs it nothing then. */
const longestOfflineWaitMs = 10_000;
export function openBrake({ whenGoing, now = () => performance.now() } = {}) {
    let heldUntil = -Infinity;
    return {
        hold(ms) {
            heldUntil = Math.max(heldUntil, now() + ms);
        },
        async pass(signal) {
            await whenGoing?.(signal);
            for (let left = heldUntil - now(); left > 0; left = heldUntil - now()) {
                await sleep(left, signal);
                await whenGoing?.(signal);
            }
        },
    };
}
/**
 * Runs a request until it succeeds, fails for good, or has failed too often.
 *
 * @throws {UploadError} of the last try, or the signal's reason
 */
export async function retrying(run, { policy, signal, brake, line, random = Math.random }) {
    for (let tries = 1, unanswered = 0;;) {
        await brake.pass(signal);
        try {
            return await (line ? line.watch(run, signal) : run({ signal, moved: () => { } }));
        }
        catch (error) {
            signal.throwIfAborted();
            if (!(error instanceof UploadError) || !error.retryable)
                throw error;
            const asked = error.retryAfterMs;
            if (asked !== undefined && asked > policy.longestRetryAfterMs)
                throw error;
            if (isQueueing(error)) {
                // A little later than asked, and not all at the same moment.
                brake.hold(asked + random() * 250);
                continue;
            }
            if (error.code === 'NETWORK_ERROR' && line && policy.keepsTrying) {
                line.lost();
                await line.rest(Math.min(longestOfflineWaitMs, waitMs(policy, ++unanswered, random)), signal);
                continue;
            }
            if (tries++ >= policy.tries)
                throw error;
            if (error.code === 'NETWORK_ERROR')
                line?.lost();
            const waitedMs = Math.max(asked ?? 0, waitMs(policy, tries - 1, random));
            await (line ? line.rest(waitedMs, signal) : sleep(waitedMs, signal));
        }
    }
}
/** Only a matter of waiting one's turn. Too many open uploads is not: they may stay open for a day. */
function isQueueing({ status, code, retryAfterMs }) {
    return status === 429 && retryAfterMs !== undefined && code !== 'TOO_MANY_OPEN_UPLOADS';
}
/** Half of the doubled wait is certain and half is chance, so that many clients do not come back together. */
export function waitMs({ firstWaitMs, longestWaitMs }, failures, random) {
    const whole = Math.min(longestWaitMs, firstWaitMs * 2 ** (failures - 1));
    return whole / 2 + (random() * whole) / 2;
}
