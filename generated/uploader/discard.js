// Made from uploader/ by `npm run generate`. Never edit it by hand.
import { retrying } from './retry.js';
import { forgetSession, resumeSession } from './session.js';
/** What is not removed by then the server removes itself, a day later. */
const withinMs = 15_000;
/** Removes what is stored of an upload that will not be completed, as well as it can be; fails for nothing. */
export async function discard(job, holder) {
    const late = new AbortController();
    const timer = setTimeout(() => late.abort(), withinMs);
    try {
        const session = holder.session ?? (await resumeSession(job, late.signal));
        await forgetSession(job);
        if (session)
            await retrying(() => session.api.abort(session.upload, late.signal), { policy: job.policy, signal: late.signal, brake: job.brake });
    }
    catch {
        // Already gone, or out of reach.
    }
    finally {
        clearTimeout(timer);
    }
}
