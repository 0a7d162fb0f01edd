import { isRefusedCredential } from './api.ts';
import type { Control } from './control.ts';
import { retriesOf, type Job } from './job.ts';
import type { UploadedFile } from './options.ts';
import { retrying } from './retry.ts';
import { sendParts } from './send-parts.ts';
import { abandon, forgetSession, openSession, type Session } from './session.ts';
import { isStillThere } from './still-there.ts';
import { checkStored, learnStored } from './stored-parts.ts';
import { takeUp } from './take-up.ts';
import { unlessAborted } from './time-limits.ts';
import { UploadError } from './upload-error.ts';

/** How often an upload that the server no longer knows is begun again, and how often gaps are filled. */
const restarts = 2;

/** Keeps the session of one upload, so that it can be removed after a failure. */
export interface SessionHolder {
  session: Session | undefined;
}

/**
 * Sends a file in parts: takes up what an earlier session began, sends what is missing, completes. Interrupted by the
 * control's signal it leaves its session in the holder.
 *
 * @throws {UploadError}, or the signal's reason
 */
export async function uploadInChunks(job: Job, holder: SessionHolder, control: Control): Promise<UploadedFile> {
  const { signal } = control;
  for (let restarted = 0; ; restarted++) {
    const earlier = holder.session ?? (restarted === 0 ? await takeUp(job, signal) : undefined);
    const session = (holder.session = earlier ?? (await openSession(job, signal)));
    try {
      // The start comes to its end even when it is not wanted any more.
      signal.throwIfAborted();
      const uploaded = await finish(job, session, control);
      if (uploaded) return uploaded;
      await abandon(job, session);
    } catch (error) {
      // What was under way when it broke off may be stored or not.
      session.storedBytes = undefined;
      if (restarted === restarts || !(await isLost(job, session, error, signal))) throw error;
      await forgetSession(job, session);
    }
    holder.session = undefined;
    job.tally.clear();
  }
}

/** Undefined when only a new upload helps: the completion may have made a file of other bytes, or its file is gone since. */
async function finish(job: Job, session: Session, control: Control): Promise<UploadedFile | undefined> {
  const { signal } = control;
  const request = retriesOf(job, signal);
  for (let fillings = 0; ; fillings++) {
    if (!(await isUsable(job, session, control, signal))) return undefined;
    await sendParts(job, session, signal);
    if (!session.isCompleting) await session.ledger.markCompleting();
    session.isCompleting = true;
    try {
      const answer = await retrying(() => session.api.complete(session.upload, signal), request);
      if (
        session.isOver &&
        session.completionAskedAt !== undefined &&
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
        ...(expiresAt !== undefined && { expiresAt }),
      };
    } catch (error) {
      // A part is not there after all.
      const isGap =
        error instanceof UploadError &&
        ['INVALID_CHUNK_PART', 'NO_CHUNKS_UPLOADED', 'CHUNK_TOO_SMALL'].includes(error.code);
      if (!isGap || fillings === restarts) throw error;
      session.storedBytes = undefined;
      session.isCompleting = false;
    }
  }
}

/** Learns what is stored, and of an upload that another page or program began whether it is this file's. */
async function isUsable(job: Job, session: Session, control: Control, signal: AbortSignal): Promise<boolean> {
  await learnStored(job, session, signal);
  if (session.isChecked) return true;
  const isSame = await control.checking(() => checkStored(job, session, signal));
  session.isChecked = true;
  return isSame || !session.isCompleting;
}

/** Whether the server does not know the upload, or not for whoever asks now: then only a new one helps. */
async function isLost(
  { credentials }: Job,
  { uploadToken, isResumed }: Session,
  error: unknown,
  signal: AbortSignal,
): Promise<boolean> {
  if (!(error instanceof UploadError)) return false;
  if (error.code === 'UPLOAD_NOT_FOUND' || error.code === 'INVALID_UPLOAD_TOKEN') return true;
  // Another key may see other prefixes than the one that began it.
  if (isResumed && error.code === 'PREFIX_NOT_ALLOWED') return true;
  if (uploadToken === undefined || !isRefusedCredential(error)) return false;
  return credentials.canRenew || (await unlessAborted(credentials.current(), signal)) !== uploadToken;
}
