import type { Caller } from '#server/domain/access/caller.ts';
import {
  stateAfter,
  type ChunkedUpload,
  type ListedUpload,
  type UploadEvent,
} from '#server/features/uploads/chunked-upload.ts';
import type { UploadLookup } from '#server/domain/upload-lookup.ts';
import { uploadLookup } from '#server/features/uploads/upload-lookup.ts';
import type { ObjectAddress } from '#server/domain/object-id.ts';
import { findLive } from '#server/features/files/object.ts';
import type { Clock } from '#server/domain/ports/clock.ts';
import type { Reads } from '#server/domain/ports/metadata.ts';
import type { Secrets } from '#server/domain/ports/secrets.ts';
import { Refusal } from '#server/domain/refusal.ts';

interface Deps {
  readonly metadata: Reads<'chunkedUploads' | 'objects'>;
  readonly secrets: Pick<Secrets, 'verify'>;
  readonly clock: Clock;
}

/** An upload that was begun over S3. */
export interface S3Upload extends ChunkedUpload {
  readonly listed: ListedUpload;
  /** The same upload, for the use cases of chunked uploads. */
  readonly lookup: UploadLookup;
}

/**
 * Finds the upload of a file that was begun over S3, ready for an event.
 *
 * @throws UPLOAD_NOT_FOUND also if it is of another file, was begun over REST, or is completed and its file is gone
 * @throws INVALID_UPLOAD_TOKEN, PREFIX_NOT_ALLOWED
 */
export async function findS3Upload(
  deps: Deps,
  caller: Caller,
  { uploadId, space, key }: ObjectAddress & { readonly uploadId: string },
  event: UploadEvent,
): Promise<S3Upload> {
  const lookup = uploadLookup(deps, caller, uploadId);
  const upload = await lookup.find();
  const now = deps.clock.now();
  stateAfter(upload, event, now);
  const { listed, resolved, state } = upload;
  if (!listed || resolved.address.space !== space || resolved.address.key !== key)
    throw new Refusal('UPLOAD_NOT_FOUND');
  if (state === 'completed' && !(await findLive(deps.metadata.read.objects, resolved.address, now)))
    throw new Refusal('UPLOAD_NOT_FOUND');
  return { ...upload, listed, lookup };
}
