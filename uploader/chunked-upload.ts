import { isRefusedCredential } from './api.ts';
import { partsOf } from './chunk-plan.ts';
import type { Job } from './job.ts';
import type { UploadedFile } from './options.ts';
import { retrying } from './retry.ts';
import { sendParts } from './send-parts.ts';
import { forgetSession, openSession, resumeSession, type Session } from './session.ts';
import { UploadError } from './upload-error.ts';

/** How often an upload that the server no longer knows is begun again, and how often gaps are filled. */
const restarts = 2;

/** Keeps the session of one upload across pauses. */
export interface SessionHolder {
  session: Session | undefined;
}

/**
 * Sends a file in parts: takes up what an earlier session began, sends what is missing, completes. Interrupted by its
 * signal it can be called again with the same holder, and goes on.
 *
 * @throws {UploadError}, or the signal's reason
 */
export async function uploadInChunks(job: Job, holder: SessionHolder, signal: AbortSignal): Promise<UploadedFile> {
  for (let restarted = 0; ; restarted++) {
    const session = (holder.session ??= (await resumeSession(job, signal)) ?? (await openSession(job, signal)));
    try {
      // The start comes to its end even when it is not wanted any more.
      signal.throwIfAborted();
      return await finish(job, session, signal);
    } catch (error) {
      // What was under way when it broke off may be stored or not.
      session.storedBytes = undefined;
      if (restarted === restarts || !(await isLost(job, session, error))) throw error;
      holder.session = undefined;
      job.tally.clear();
      await forgetSession(job);
    }
  }
}

async function finish(job: Job, session: Session, signal: AbortSignal): Promise<UploadedFile> {
  const request = { policy: job.policy, signal, brake: job.brake };
  for (let fillings = 0; ; fillings++) {
    await learnStored(job, session, signal);
    await sendParts(job, session, signal);
    await session.markCompleting();
    try {
      const answer = await retrying(() => session.api.complete(session.upload, signal), request);
      await forgetSession(job);
      const { id, url, size, sha256, parts, expires_at: expiresAt } = answer;
      return { id, url, isPrivate: answer.private, sizeBytes: size, sha256, parts, ...(expiresAt !== undefined && { expiresAt }) };
    } catch (error) {
      // A part is not there after all.
      const isGap = error instanceof UploadError && ['INVALID_CHUNK_PART', 'NO_CHUNKS_UPLOADED', 'CHUNK_TOO_SMALL'].includes(error.code);
      if (!isGap || fillings === restarts) throw error;
      session.storedBytes = undefined;
      session.isCompleting = false;
    }
  }
}

/** Asks which parts are stored, unless it is known. */
async function learnStored(job: Job, session: Session, signal: AbortSignal): Promise<void> {
  if (session.storedBytes) return;
  try {
    const { parts } = await retrying(() => session.api.status(session.upload, signal), { policy: job.policy, signal, brake: job.brake });
    session.storedBytes = new Map(parts.map(({ part, size }) => [part, size]));
  } catch (error) {
    // A completed upload has no status any more, but gives its answer again for a day.
    if (!(session.isCompleting && error instanceof UploadError && error.code === 'UPLOAD_NOT_FOUND')) throw error;
    session.storedBytes = new Map(partsOf(job.file.size, session.chunkSizeBytes).map(({ number, startBytes, endBytes }) => [number, endBytes - startBytes]));
  }
}

/** Whether the server does not know the upload, or not for whoever asks now: then only a new one helps. */
async function isLost({ credentials }: Job, { uploadToken, isResumed }: Session, error: unknown): Promise<boolean> {
  if (!(error instanceof UploadError)) return false;
  if (error.code === 'UPLOAD_NOT_FOUND' || error.code === 'INVALID_UPLOAD_TOKEN') return true;
  // Another key may see other prefixes than the one that began it.
  if (isResumed && error.code === 'PREFIX_NOT_ALLOWED') return true;
  if (uploadToken === undefined || !isRefusedCredential(error)) return false;
  return credentials.canRenew || (await credentials.current()) !== uploadToken;
}
