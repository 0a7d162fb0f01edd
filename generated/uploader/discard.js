// Made from uploader/ by `npm run generate`. Never edit it by hand.
import { claimRecord } from './claim.js';
import { abandon } from './session.js';
/**
 * Removes the stored parts of an upload that will not complete. Only a session that this upload opened or resumed is
 * removed.
 */
export async function discard(job, holder) {
    const { session } = holder;
    holder.session = undefined;
    if (session)
        await abandon(job, session);
}
/** Removes the stored parts after a failure. Does nothing if another upload has resumed the session meanwhile. */
export async function discardFailed(job, holder) {
    if (!holder.session)
        return;
    const claim = await claimRecord(job);
    if (!claim)
        return;
    await discard(job, holder);
    claim.release();
}
