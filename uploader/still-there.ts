import type { CompletedChunkedUpload } from '../generated/client/index.js';
import { retriesOf, type Job } from './job.ts';
import { retrying } from './retry.ts';
import type { Session } from './session.ts';
import { UploadError } from './upload-error.ts';

/** For so long after the completion was asked for its answer is believed without looking. */
const believedForMs = 600_000;

/**
 * Whether the file of an upload that was completed before is still there: the server gives the answer for a day, also when
 * the file was deleted or replaced meanwhile. A key looks; a token may not, so there only a recent answer counts.
 *
 * @throws {UploadError}, or the signal's reason
 */
export async function isStillThere(
  job: Job,
  session: Session,
  answer: CompletedChunkedUpload,
  signal: AbortSignal,
): Promise<boolean> {
  const ageMs = Date.now() - session.completionAskedAt!;
  const isRecent = ageMs >= 0 && ageMs < believedForMs;
  if (session.uploadToken !== undefined) return isRecent;
  try {
    const { size, sha256 } = await retrying(() => session.api.info(answer.id, signal), retriesOf(job, signal));
    return size === answer.size && (sha256 === null || answer.sha256 === null || sha256 === answer.sha256);
  } catch (error) {
    if (!(error instanceof UploadError)) throw error;
    if (error.status === 404) return false;
    // A key that may upload need not be one that may read.
    if (error.status === 401 || error.status === 403) return isRecent;
    throw error;
  }
}
