import { isRefusedCredential, receiptOf } from './api.ts';
import type { Control } from './control.ts';
import { retriesOf, type Job } from './job.ts';
import type { UploadedFile } from './options.ts';
import { retrying } from './retry.ts';
import { sendParts } from './send-parts.ts';
import { abandon, forgetSession, openSession, type Session } from './session.ts';
import { isStillThere } from './still-there.ts';
import { checkStored, learnStored } from './stored-parts.ts';
import { resumeSession } from './resume-session.ts';
import { unlessAborted } from './time-limits.ts';
import { UploadError } from './upload-error.ts';

/** How often an upload that the server lost is started again, and how often missing parts are sent again. */
const restarts = 2;

/** Holds the session of one upload, so that a failed upload can be removed. */
export interface SessionHolder {
  session: Session | undefined;
}

/**
 * Sends a file in parts. Resumes an earlier session if there is one, sends the missing parts and completes the upload.
 * When the control's signal interrupts it, the session stays in the holder.
 *
 * @throws {UploadError}, or the signal's reason
 */
export async function uploadInChunks(job: Job, holder: SessionHolder, control: Control): Promise<UploadedFile> {
  const { signal } = control;
  for (let restarted = 0; ; restarted++) {
    const earlier = holder.session ?? (restarted === 0 ? await resumeSession(job, signal) : undefined);
    const session = (holder.session = earlier ?? (await openSession(job, signal)));
    try {
      // The start request runs to its end even after a cancellation.
      signal.throwIfAborted();
      const uploaded = await finish(job, session, control);
      if (uploaded) return uploaded;
      await abandon(job, session);
    } catch (error) {
      // Parts in flight at the failure may or may not be stored.
      session.storedBytes = undefined;
      if (restarted === restarts || !(await isLost(job, session, error, signal))) throw error;
      await forgetSession(job, session);
    }
    holder.session = undefined;
    job.progress.clear();
  }
}

/**
 * Sends the missing parts and completes the upload.
 *
 * @returns undefined when only a new upload helps, because the stored file may have other bytes, or it is gone
 */
async function finish(job: Job, session: Session, control: Control): Promise<UploadedFile | undefined> {
  const { signal } = control;
  const request = retriesOf(job, signal);
  for (let fillings = 0; ; fillings++) {
    if (!(await isUsable(job, session, control, signal))) return undefined;
    await sendParts(job, session, signal);
    if (!session.isCompleting) await session.record.markCompleting();
    session.isCompleting = true;
    try {
      const answer = await retrying(() => session.api.complete(session.upload, signal), request);
      if (
        session.isOver &&
        session.completionRequestedAt !== undefined &&
        !(await isStillThere(job, session, answer, signal))
      )
        return undefined;
      await forgetSession(job, session);
      const { id, url, size, sha256, parts, expires_at: expiresAt } = answer;
      return {
        id,
        url,
        isPrivate: answer.private,
        sizeBytes: size,
        sha256,
        parts,
        ...receiptOf(answer),
        ...(expiresAt !== undefined && { expiresAt }),
      };
    } catch (error) {
      // The server is missing a part that was counted as stored.
      const isGap =
        error instanceof UploadError &&
        ['INVALID_CHUNK_PART', 'NO_CHUNKS_UPLOADED', 'CHUNK_TOO_SMALL'].includes(error.code);
      if (!isGap || fillings === restarts) throw error;
      session.storedBytes = undefined;
      session.isCompleting = false;
    }
  }
}

/** Reads which parts are stored. Compares them with the file if another page or program started the upload. */
async function isUsable(job: Job, session: Session, control: Control, signal: AbortSignal): Promise<boolean> {
  await learnStored(job, session, signal);
  if (session.isChecked) return true;
  const isSame = await control.checking(() => checkStored(job, session, signal));
  session.isChecked = true;
  return isSame || !session.isCompleting;
}

/**
 * Returns whether the server no longer knows the upload, or hides it from this credential. Only a new upload helps
 * then.
 */
async function isLost(
  { credentials }: Job,
  { uploadToken, isResumed }: Session,
  error: unknown,
  signal: AbortSignal,
): Promise<boolean> {
  if (!(error instanceof UploadError)) return false;
  if (error.code === 'UPLOAD_NOT_FOUND' || error.code === 'INVALID_UPLOAD_TOKEN') return true;
  // This key may have other prefixes than the key that started the upload.
  if (isResumed && error.code === 'PREFIX_NOT_ALLOWED') return true;
  if (uploadToken === undefined || !isRefusedCredential(error)) return false;
  return credentials.canRenew || (await unlessAborted(credentials.current(), signal)) !== uploadToken;
}
