import type { SessionHolder } from './chunked-upload.ts';
import type { Job } from './job.ts';
import { retrying } from './retry.ts';
import { forgetSession, resumeSession } from './session.ts';

/** What is not removed by then the server removes itself, a day later. */
const withinMs = 15_000;

/** Removes what is stored of an upload that will not be completed, as well as it can be; fails for nothing. */
export async function discard(job: Job, holder: SessionHolder): Promise<void> {
  const late = new AbortController();
  const timer = setTimeout(() => late.abort(), withinMs);
  try {
    const session = holder.session ?? (await resumeSession(job, late.signal));
    await forgetSession(job);
    if (session) await retrying(() => session.api.abort(session.upload, late.signal), { policy: job.policy, signal: late.signal, brake: job.brake });
  } catch {
    // Already gone, or out of reach.
  } finally {
    clearTimeout(timer);
  }
}
