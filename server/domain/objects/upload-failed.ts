import { BlobStoreUnavailable } from '../ports/blobs.ts';
import { MetadataUnavailable } from '../ports/metadata.ts';
import { Refusal } from '../refusal.ts';

/** A store that cannot work at the moment, as UPLOAD_FAILED with its cause; every other error as it is. */
export function uploadFailed(error: unknown): unknown {
  const isStoreFailure = error instanceof BlobStoreUnavailable || error instanceof MetadataUnavailable;
  return isStoreFailure ? Object.assign(new Refusal('UPLOAD_FAILED'), { cause: error }) : error;
}
