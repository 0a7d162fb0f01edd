import type { Caller } from '../access/caller.ts';
import { stateAfter, type ChunkedUpload, type UploadEvent } from '../chunked/chunked-upload.ts';
import { findChunkedUpload } from '../chunked/find-chunked-upload.ts';
import type { ObjectAddress } from '../object-id.ts';
import { isExpired } from '../objects/object.ts';
import type { Clock } from '../ports/clock.ts';
import type { Reads } from '../ports/metadata.ts';
import type { Secrets } from '../ports/secrets.ts';
import { Refusal } from '../refusal.ts';
import type { ListedUpload } from '../chunked/listed-upload.ts';

interface Deps {
  readonly metadata: Reads<'chunkedUploads' | 'objects'>;
  readonly secrets: Pick<Secrets, 'verify'>;
  readonly clock: Clock;
}

/**
 * The upload of a file that was begun over S3, ready for an event.
 *
 * @throws UPLOAD_NOT_FOUND also when it is of another file, was begun over REST, or is completed and its file is gone;
 *   INVALID_UPLOAD_TOKEN, PREFIX_NOT_ALLOWED
 */
export async function findS3Upload(
  deps: Deps,
  caller: Caller,
  uploadId: string,
  address: ObjectAddress,
  event: UploadEvent,
): Promise<ChunkedUpload & { readonly listed: ListedUpload }> {
  const upload = await findChunkedUpload(deps, caller, uploadId);
  stateAfter(upload, event, deps.clock.now());
  const { space, key } = upload.plan.address;
  if (!upload.listed || space !== address.space || key !== address.key) throw new Refusal('UPLOAD_NOT_FOUND');
  if (upload.state === 'completed' && !(await isThere(deps, upload.plan.address)))
    throw new Refusal('UPLOAD_NOT_FOUND');
  return { ...upload, listed: upload.listed };
}

async function isThere({ metadata, clock }: Deps, address: ObjectAddress): Promise<boolean> {
  const object = await metadata.read.objects.find(address);
  return object !== undefined && !isExpired(object, clock.now());
}
