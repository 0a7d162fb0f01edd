// Made from uploader/ by `npm run generate`. Never edit it by hand.
import { sleep } from './sleep.js';
import { UploadError } from './upload-error.js';
/** After this much silence the server may be unreachable. */
const silentAfterMs = 800;
/** A probe without a response within this time means unreachable: 1.6 seconds in all. */
const certainAfterMs = 800;
/**
 * Longest wait between two probes of a silent server. The first wait is `silentAfterMs`, and each further one doubles.
 */
const longestLookMs = 15_000;
/**
 * A request that sent nothing for this long is sent again once the server is back. The limit doubles each time, because
 * a slow connection looks the same.
 */
const stuckAfterMs = 10_000;
/** The same limit when the system reports that the connection changed. */
const stuckAtChangeMs = 2_000;
export function watchConnectivity({ probe, tell, now = () => performance.now() }) {
    const underWay = new Set();
    const midway = () => [...underWay].filter(({ hasMoved, isAllSent }) => hasMoved && !isAllSent);
    let isDown = false;
    let heardAt = now();
    let stuckMs = stuckAfterMs;
    let waking = new AbortController();
    let looking;
    const wake = () => {
        waking.abort();
        waking = new AbortController();
    };
    const set = (next) => {
        if (next === isDown)
            return;
        isDown = next;
        tell(isDown);
        if (!isDown)
            wake();
    };
    const heard = () => {
        heardAt = now();
        set(false);
    };
    const cutStuck = (ms) => {
        const stuck = midway().filter(({ movedAt }) => now() - movedAt >= ms);
        for (const { stop } of stuck)
            stop.abort(stoodStill());
        return stuck.length > 0;
    };
    /** Returns whether the server responds. Undefined when that cannot be determined now. */
    const judge = async (signal) => {
        const since = heardAt;
        let isThere;
        if (probe.fits(underWay.size))
            isThere = await probe.ask(certainAfterMs, signal);
        else if (midway().length > 0) {
            await sleep(certainAfterMs, signal);
            isThere = false;
        }
        return heardAt === since ? isThere : undefined;
    };
    /** Probes the server while requests in flight are silent. */
    const look = async (signal) => {
        for (let waitMs = silentAfterMs, nextMs = waitMs;;) {
            await sleep(waitMs, signal);
            const quietMs = now() - heardAt;
            if (quietMs < silentAfterMs) {
                nextMs = silentAfterMs;
                waitMs = silentAfterMs - quietMs;
                continue;
            }
            const isThere = await judge(signal);
            if (isThere !== undefined)
                set(!isThere);
            if (isThere && cutStuck(stuckMs))
                stuckMs *= 2;
            waitMs = nextMs;
            nextMs = Math.min(longestLookMs, nextMs * 2);
        }
    };
    const retryNow = () => {
        wake();
        cutStuck(stuckAtChangeMs);
    };
    const onOffline = () => set(true);
    globalThis.addEventListener?.('online', retryNow);
    globalThis.addEventListener?.('offline', onOffline);
    const begin = (one) => {
        underWay.add(one);
        if (underWay.size > 1)
            return;
        heardAt = now();
        looking = new AbortController();
        look(looking.signal).catch(() => { });
    };
    const end = (one) => {
        underWay.delete(one);
        if (underWay.size === 0)
            looking?.abort();
    };
    return {
        async watch(run, signal) {
            const one = { stop: new AbortController(), movedAt: now(), hasMoved: false, isAllSent: false };
            const stop = () => one.stop.abort(signal.reason);
            if (signal.aborted)
                stop();
            signal.addEventListener('abort', stop, { once: true });
            begin(one);
            const moved = (isAllSent) => {
                Object.assign(one, { movedAt: now(), hasMoved: true, isAllSent });
                heard();
            };
            try {
                const answer = await run({ signal: one.stop.signal, moved });
                heard();
                return answer;
            }
            catch (error) {
                if (error instanceof UploadError && error.status !== undefined)
                    heard();
                throw error;
            }
            finally {
                signal.removeEventListener('abort', stop);
                end(one);
            }
        },
        wait: (ms, signal) => sleep(ms, signal, waking.signal),
        reportLost: () => set(true),
        retryNow,
        close() {
            looking?.abort();
            globalThis.removeEventListener?.('online', retryNow);
            globalThis.removeEventListener?.('offline', onOffline);
        },
    };
}
function stoodStill() {
    return new UploadError({
        code: 'NETWORK_ERROR',
        message: 'The connection was stuck, so the request is sent again.',
        retryable: true,
    });
}
