// Made from uploader/ by `npm run generate`. Never edit it by hand.
import { uploadInChunks } from './chunked-upload.js';
import { guarded } from './callbacks.js';
import { claimRecord } from './claim.js';
import { openControl } from './control.js';
import { discard, discardFailed } from './discard.js';
import { assertSize } from './file-size.js';
import { jobOf } from './job.js';
import { uploadInOne } from './single-upload.js';
const mebibyte = 1_048_576;
/** The server's limit for one request. */
const singleMostBytes = 100 * mebibyte;
const singleUpToBytes = 16 * mebibyte;
/**
 * Uploads a file of any size, starting at once. `done` rejects with an UploadError.
 *
 * @throws {TypeError} outside a page without `baseUrl`
 */
export function uploadFile(file, options) {
    const control = openControl(guarded(options.onState));
    const job = jobOf(file, options, control);
    const holder = { session: undefined };
    const isSingle = file.size <= Math.min(singleMostBytes, options.singleUpToBytes ?? singleUpToBytes);
    // One turn later, so that the caller has the handle before the first callback.
    const done = Promise.resolve().then(() => settle(job, holder, control, isSingle));
    const cancel = async () => {
        control.cancel();
        await done.catch(() => { });
        if (control.state === 'failed')
            await discardFailed(job, holder);
    };
    const forgetSignal = () => options.signal?.removeEventListener('abort', cancel);
    done.then(forgetSignal, forgetSignal);
    options.signal?.addEventListener('abort', cancel, { once: true });
    if (options.signal?.aborted)
        void cancel();
    return {
        done,
        get state() {
            return control.state;
        },
        get progress() {
            return job.progress.current;
        },
        pause: control.pause,
        resume() {
            control.resume();
            job.connectivity.retryNow();
        },
        cancel,
    };
}
async function settle(given, holder, control, isSingle) {
    const claim = isSingle ? undefined : await claimRecord(given);
    // Another upload of the same file is using the record, so this one does without.
    const job = claim ? given : { ...given, resume: undefined };
    try {
        assertSize(job.file);
        control.signal.throwIfAborted();
        const uploaded = await (isSingle ? uploadInOne(job, control.signal) : uploadInChunks(job, holder, control));
        control.end('completed');
        return uploaded;
    }
    catch (error) {
        const isCancelled = control.state === 'cancelled';
        // An upload that cannot be resumed would only use up the quota.
        if (isCancelled || !job.resume)
            await discard(job, holder);
        if (!isCancelled)
            control.end('failed');
        throw isCancelled ? control.signal.reason : error;
    }
    finally {
        job.connectivity.close();
        claim?.release();
    }
}
