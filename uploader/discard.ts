import type { SessionHolder } from './chunked-upload.ts';
import { claimRecord } from './claim.ts';
import type { Job } from './job.ts';
import { abandon } from './session.ts';

/**
 * Removes the stored parts of an upload that will not complete. Only a session that this upload opened or resumed is
 * removed.
 */
export async function discard(job: Job, holder: SessionHolder): Promise<void> {
  const { session } = holder;
  holder.session = undefined;
  if (session) await abandon(job, session);
}

/** Removes the stored parts after a failure. Does nothing if another upload has resumed the session meanwhile. */
export async function discardFailed(job: Job, holder: SessionHolder): Promise<void> {
  if (!holder.session) return;
  const claim = await claimRecord(job);
  if (!claim) return;
  await discard(job, holder);
  claim.release();
}
