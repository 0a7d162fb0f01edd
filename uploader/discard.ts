import type { SessionHolder } from './chunked-upload.ts';
import { claimRecord } from './claim.ts';
import type { Job } from './job.ts';
import { abandon } from './session.ts';

/** Removes what is stored of an upload that will not be completed: of a session that it opened or took up itself, no other. */
export async function discard(job: Job, holder: SessionHolder): Promise<void> {
  const { session } = holder;
  holder.session = undefined;
  if (session) await abandon(job, session);
}

/** The same for one that has failed, which another upload may have taken up since: then it is that one's. */
export async function discardFailed(job: Job, holder: SessionHolder): Promise<void> {
  if (!holder.session) return;
  const claim = await claimRecord(job);
  if (!claim) return;
  await discard(job, holder);
  claim.release();
}
