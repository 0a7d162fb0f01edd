import type { Caller } from '../access/caller.ts';
import { systemActor, type Actor } from '../activity/activity.ts';
import { recordActivity } from '../activity/record-activity.ts';
import type { Metadata, Transaction } from '../ports/metadata.ts';
import type { Secrets } from '../ports/secrets.ts';
import { stateAfter, stateAt, type ChunkedUpload } from './chunked-upload.ts';
import { findChunkedUpload } from './find-chunked-upload.ts';

interface Deps {
  readonly metadata: Metadata<'accounts' | 'activity' | 'chunkedUploads'>;
  readonly secrets: Pick<Secrets, 'verify'>;
}

export interface AbortChunkedUpload {
  readonly caller: Caller;
  /** The `upload` string. */
  readonly handle: string;
  readonly actor: Actor;
}

/**
 * Throws an upload's parts away. Aborting again answers the same for 24 hours.
 *
 * @throws INVALID_UPLOAD_TOKEN, UPLOAD_NOT_FOUND also when it is completed, PREFIX_NOT_ALLOWED
 */
export async function abortChunkedUpload(deps: Deps, { caller, handle, actor }: AbortChunkedUpload): Promise<void> {
  const { id } = await findChunkedUpload(deps, caller, handle);
  await deps.metadata.atomically(async (tx) => {
    const upload = await tx.chunkedUploads.find(id);
    // One that has idled away has ended by itself, but holds its parts until the job comes by, and that may wait for an
    // operator.
    if (upload?.state === 'open')
      return closeAborted(tx, upload, stateAt(upload, tx.now) === 'open' ? actor : systemActor);
    stateAfter(upload, 'abort', tx.now);
  });
}

/** Frees the parts of an upload and what they hold of the quota. */
export async function closeAborted(
  tx: Transaction<'accounts' | 'activity' | 'chunkedUploads'>,
  { id, accountId, plan, storedBytes }: ChunkedUpload,
  actor: Actor,
): Promise<void> {
  await tx.accounts.giveBack(accountId, storedBytes);
  await tx.chunkedUploads.abort(id, tx.now);
  await recordActivity(tx, {
    accountId,
    type: 'chunked.aborted',
    object: plan.address,
    details: { size: storedBytes },
    actor,
  });
}
