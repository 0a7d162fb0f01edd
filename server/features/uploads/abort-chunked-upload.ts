import { systemActor, type Actor } from '#server/domain/activity/activity.ts';
import { recordActivity } from '#server/domain/activity/record-activity.ts';
import type { Transaction, Writes } from '#server/domain/ports/metadata.ts';
import { stateAfter, stateAt, type ChunkedUpload } from './chunked-upload.ts';
import type { UploadLookup } from '#server/domain/upload-lookup.ts';
import { recordUploadEvent } from './upload-event.ts';

interface Deps {
  readonly metadata: Writes<'accounts' | 'activity' | 'chunkedUploads' | 'events'>;
}

/**
 * Aborts an upload and drops its parts. A repeated abort succeeds for 24 hours.
 *
 * @throws INVALID_UPLOAD_TOKEN, PREFIX_NOT_ALLOWED
 * @throws UPLOAD_NOT_FOUND also for a completed upload
 */
export async function abortChunkedUpload({ metadata }: Deps, lookup: UploadLookup, actor: Actor): Promise<void> {
  const { id, accountId } = await lookup.find();
  await metadata.atomically(
    async (tx) => {
      const upload = await tx.chunkedUploads.find(id);
      // An idle upload has ended, but it keeps its parts until the job runs. The job may wait for an operator.
      if (upload?.state === 'open')
        return closeAborted(tx, upload, stateAt(upload, tx.now) === 'open' ? actor : systemActor);
      stateAfter(upload, 'abort', tx.now);
    },
    { account: accountId },
  );
}

/**
 * Closes an upload as aborted, and frees its parts and their quota. An upload to a file request has no event, because
 * it has one only when it is complete.
 */
export async function closeAborted(
  tx: Transaction<'accounts' | 'activity' | 'chunkedUploads' | 'events'>,
  { id, accountId, resolved, sentTo, storedBytes }: ChunkedUpload,
  actor: Actor,
): Promise<void> {
  await tx.accounts.unreserve(accountId, storedBytes);
  await tx.chunkedUploads.abort(id, tx.now);
  if (sentTo) return;
  await recordActivity(tx, {
    accountId,
    type: 'chunked.aborted',
    object: resolved.address,
    details: { size: storedBytes },
    actor,
  });
  await recordUploadEvent(tx, 'upload.aborted', resolved.address, { sizeBytes: storedBytes, auth: actor.auth });
}
