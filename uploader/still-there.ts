import type { CompletedChunkedUpload } from '#dist/modules/client/index.js';
import { retriesOf, type Job } from './job.ts';
import { retrying } from './retry.ts';
import type { Session } from './session.ts';
import { UploadError } from './upload-error.ts';

/** A completion response is trusted without a check for this long after the first request for it. */
const believedForMs = 600_000;

/**
 * Returns whether the file of a completed upload still exists. The server repeats the completion response for a day,
 * even after the file was deleted or replaced. A key can read the object's info. A token cannot, so only a recent
 * response counts there.
 *
 * @throws {UploadError}, or the signal's reason
 */
export async function isStillThere(
  job: Job,
  session: Session,
  answer: CompletedChunkedUpload,
  signal: AbortSignal,
): Promise<boolean> {
  const ageMs = Date.now() - session.completionRequestedAt!;
  const isRecent = ageMs >= 0 && ageMs < believedForMs;
  if (session.uploadToken !== undefined) return isRecent;
  try {
    const { size, sha256 } = await retrying(() => session.api.info(answer.id, signal), retriesOf(job, signal));
    return size === answer.size && (sha256 === null || answer.sha256 === null || sha256 === answer.sha256);
  } catch (error) {
    if (!(error instanceof UploadError)) throw error;
    if (error.status === 404) return false;
    // A key that may upload is not always one that may read.
    if (error.status === 401 || error.status === 403) return isRecent;
    throw error;
  }
}
