import { uploadInChunks, type SessionHolder } from './chunked-upload.ts';
import { guarded } from './callbacks.ts';
import { claimRecord } from './claim.ts';
import { openControl, type Control } from './control.ts';
import { discard, discardFailed } from './discard.ts';
import { assertSize } from './file-size.ts';
import { jobOf, type Job } from './job.ts';
import type { UploadHandle, UploadOptions, UploadedFile } from './options.ts';
import { uploadInOne } from './single-upload.ts';

const mebibyte = 1_048_576;
/** The server's limit for one request. */
const singleMostBytes = 100 * mebibyte;
const singleUpToBytes = 16 * mebibyte;

/**
 * Uploads a file of any size, starting at once. `done` rejects with an UploadError.
 *
 * @throws {TypeError} outside a page without `baseUrl`
 */
export function uploadFile(file: Blob, options: UploadOptions): UploadHandle {
  const control = openControl(guarded(options.onState));
  const job = jobOf(file, options, control);
  const holder: SessionHolder = { session: undefined };
  const isSingle = file.size <= Math.min(singleMostBytes, options.singleUpToBytes ?? singleUpToBytes);
  // One turn later, so that the caller has the handle before the first callback.
  const done = Promise.resolve().then(() => settle(job, holder, control, isSingle));
  const cancel = async (): Promise<void> => {
    control.cancel();
    await done.catch(() => {});
    if (control.state === 'failed') await discardFailed(job, holder);
  };
  const forgetSignal = () => options.signal?.removeEventListener('abort', cancel);
  done.then(forgetSignal, forgetSignal);
  options.signal?.addEventListener('abort', cancel, { once: true });
  if (options.signal?.aborted) void cancel();
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

async function settle(given: Job, holder: SessionHolder, control: Control, isSingle: boolean): Promise<UploadedFile> {
  const claim = isSingle ? undefined : await claimRecord(given);
  // Another upload of the same file is using the record, so this one does without.
  const job = claim ? given : { ...given, resume: undefined };
  try {
    assertSize(job.file);
    control.signal.throwIfAborted();
    const uploaded = await (isSingle ? uploadInOne(job, control.signal) : uploadInChunks(job, holder, control));
    control.end('completed');
    return uploaded;
  } catch (error) {
    const isCancelled = control.state === 'cancelled';
    // An upload that cannot be resumed would only use up the quota.
    if (isCancelled || !job.resume) await discard(job, holder);
    if (!isCancelled) control.end('failed');
    throw isCancelled ? control.signal.reason : error;
  } finally {
    job.connectivity.close();
    claim?.release();
  }
}
