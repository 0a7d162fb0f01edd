// Made from uploader/ by `npm run generate`. Never edit it by hand.
import { sleep } from './sleep.js';
import { UploadError } from './upload-error.js';
export const defaultRetryPolicy = { tries: 8, firstWaitMs: 500, longestWaitMs: 30_000, longestRetryAfterMs: 600_000 };
export function openBrake(now = () => performance.now()) {
    let heldUntil = -Infinity;
    return {
        hold(ms) {
            heldUntil = Math.max(heldUntil, now() + ms);
        },
        async pass(signal) {
            for (let left = heldUntil - now(); left > 0; left = heldUntil - now())
                await sleep(left, signal);
        },
    };
}
/**
 * Runs a request until it succeeds, fails for good, or has failed too often.
 *
 * @throws {UploadError} of the last try, or the signal's reason
 */
export async function retrying(run, { policy, signal, brake, random = Math.random }) {
    for (let tries = 1;;) {
        await brake.pass(signal);
        try {
            return await run();
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
            if (tries++ >= policy.tries)
                throw error;
            await sleep(Math.max(asked ?? 0, waitMs(policy, tries - 1, random)), signal);
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
