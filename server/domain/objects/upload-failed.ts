import { BlobStoreFull, BlobStoreUnavailable } from '../ports/blobs.ts';
import { MetadataFull, MetadataUnavailable } from '../ports/metadata.ts';
import { Refusal } from '../refusal.ts';

/**
 * Translates the error of a store that cannot work at the moment to INSUFFICIENT_STORAGE or UPLOAD_FAILED, with its
 * cause. Returns every other error as it is.
 */
export function uploadFailed(error: unknown): unknown {
  // Without a cause it is not a fault, because the upload was rejected to keep the reserve free.
  if (error instanceof BlobStoreFull || error instanceof MetadataFull)
    return new Refusal('INSUFFICIENT_STORAGE', error.cause === undefined ? {} : { cause: error });
  const isStoreFailure = error instanceof BlobStoreUnavailable || error instanceof MetadataUnavailable;
  return isStoreFailure ? new Refusal('UPLOAD_FAILED', { cause: error }) : error;
}
