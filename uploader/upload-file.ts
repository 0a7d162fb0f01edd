import { uploadInChunks, type SessionHolder } from './chunked-upload.ts';
import { openControl, type Control } from './control.ts';
import { discard } from './discard.ts';
import { jobOf, type Job } from './job.ts';
import type { UploadHandle, UploadOptions, UploadedFile } from './options.ts';
import { uploadInOne } from './single-upload.ts';
import { cancelled } from './upload-error.ts';

const mebibyte = 1_048_576;
/** What the server takes in one request. */
const singleMostBytes = 100 * mebibyte;
const singleUpToBytes = 16 * mebibyte;

/** Goes on with the upload until the signal is aborted. */
type Attempt = (signal: AbortSignal) => Promise<UploadedFile>;

/**
 * Uploads a file of any size, and begins at once. `done` is refused with an UploadError.
 *
 * @throws {TypeError} outside of a page without `baseUrl`
 */
export function uploadFile(file: Blob, options: UploadOptions): UploadHandle {
  const job = jobOf(file, options);
  const holder: SessionHolder = { session: undefined };
  const control = openControl(options.onState ?? (() => {}));
  const isSingle = file.size <= Math.min(singleMostBytes, options.singleUpToBytes ?? singleUpToBytes);
  const attempt: Attempt = (signal) => (isSingle ? uploadInOne(job, signal) : uploadInChunks(job, holder, signal));
  // One turn later, so that whoever is told of states and progress has the handle already.
  const done = Promise.resolve().then(() => settle(job, holder, control, attempt));
  const cancel = async (): Promise<void> => {
    control.cancel();
    await done.catch(() => {});
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
      return job.tally.progress;
    },
    pause: control.pause,
    resume: control.resume,
    cancel,
  };
}

async function settle(job: Job, holder: SessionHolder, control: Control, attempt: Attempt): Promise<UploadedFile> {
  try {
    const uploaded = await untilEnd(control, attempt);
    control.end('completed');
    return uploaded;
  } catch (error) {
    const isCancelled = control.state === 'cancelled';
    // What nobody could take up again would only use up the quota.
    if (isCancelled || !job.resume) await discard(job, holder);
    if (!isCancelled) control.end('failed');
    throw error;
  }
}

/** Attempts again after each pause. */
async function untilEnd(control: Control, attempt: Attempt): Promise<UploadedFile> {
  for (;;) {
    const { signal } = control;
    try {
      signal.throwIfAborted();
      return await attempt(signal);
    } catch (error) {
      if (!signal.aborted) throw error;
      await control.whenGoing();
      if (control.state === 'cancelled') throw cancelled();
    }
  }
}
