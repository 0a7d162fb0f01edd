// Made from uploader/ by `npm run generate`. Never edit it by hand.
import { claimRecord } from './claim.js';
import { abandon } from './session.js';
/** Removes what is stored of an upload that will not be completed: of a session that it opened or took up itself, no other. */
export async function discard(job, holder) {
    const { session } = holder;
    holder.session = undefined;
    if (session)
        await abandon(job, session);
}
/** The same for one that has failed, which another upload may have taken up since: then it is that one's. */
export async function discardFailed(job, holder) {
    if (!holder.session)
        return;
    const claim = await claimRecord(job);
    if (!claim)
        return;
    await discard(job, holder);
    claim.release();
}
