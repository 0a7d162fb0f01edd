import { BlobStoreFull, BlobStoreUnavailable } from '../ports/blobs.ts';
import { MetadataFull, MetadataUnavailable } from '../ports/metadata.ts';
import { Refusal } from '../refusal.ts';

/**
 * A store that cannot work at the moment, as INSUFFICIENT_STORAGE or UPLOAD_FAILED with its cause; every other error as
 * it is.
 */
export function uploadFailed(error: unknown): unknown {
  // Without a cause it is no fault: what is kept free was not touched.
  if (error instanceof BlobStoreFull || error instanceof MetadataFull)
    return new Refusal('INSUFFICIENT_STORAGE', error.cause === undefined ? {} : { cause: error });
  const isStoreFailure = error instanceof BlobStoreUnavailable || error instanceof MetadataUnavailable;
  return isStoreFailure ? new Refusal('UPLOAD_FAILED', { cause: error }) : error;
}
