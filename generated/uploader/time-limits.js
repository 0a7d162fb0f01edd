// Made from uploader/ by `npm run generate`. Never edit it by hand.
import { UploadError } from './upload-error.js';
/** Waits for a promise, or throws the signal's reason as soon as it is aborted. The promise itself is not stopped. */
export function unlessAborted(promise, signal) {
    return new Promise((resolve, reject) => {
        const stop = () => reject(signal.reason);
        if (signal.aborted)
            stop();
        signal.addEventListener('abort', stop, { once: true });
        promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop));
    });
}
/**
 * Runs a request with a time limit.
 *
 * @throws {UploadError} NETWORK_ERROR when the time is over, or the signal's reason
 */
export async function within(ms, signal, run) {
    const limit = new AbortController();
    const stop = () => limit.abort(signal.reason);
    if (signal.aborted)
        stop();
    signal.addEventListener('abort', stop, { once: true });
    const timer = setTimeout(() => limit.abort(unanswered(ms)), ms);
    try {
        return await unlessAborted(run(limit.signal), limit.signal);
    }
    catch (error) {
        limit.signal.throwIfAborted();
        throw error;
    }
    finally {
        clearTimeout(timer);
        signal.removeEventListener('abort', stop);
    }
}
/** Runs a task that may continue for `ms` after the signal is aborted. */
export async function lingering(ms, signal, run) {
    const late = new AbortController();
    let timer;
    const begin = () => void (timer = setTimeout(() => late.abort(signal.reason), ms));
    if (signal.aborted)
        begin();
    signal.addEventListener('abort', begin, { once: true });
    try {
        return await run(late.signal);
    }
    finally {
        clearTimeout(timer);
        signal.removeEventListener('abort', begin);
    }
}
function unanswered(ms) {
    const waited = `The server did not answer within ${ms / 1000} seconds.`;
    const message = `${waited} Check your network connection, then try again.`;
    return new UploadError({ code: 'NETWORK_ERROR', message, retryable: true });
}
