import { BlobStoreFailed, BlobStoreFull, BlobStoreUnavailable } from '../ports/blobs.ts';
import { MetadataFailed, MetadataFull, MetadataUnavailable } from '../ports/metadata.ts';
import { Refusal } from '../refusal.ts';

/**
 * Translates the error of a store that is full or broken to INSUFFICIENT_STORAGE or UPLOAD_FAILED, with its cause.
 * Returns every other error as it is, also that of an unavailable store: every door answers it with STORAGE_UNAVAILABLE.
 */
export function uploadFailed(error: unknown): unknown {
  // Without a cause it is not a fault, because the upload was rejected to keep the reserve free.
  if (error instanceof BlobStoreFull || error instanceof MetadataFull)
    return new Refusal('INSUFFICIENT_STORAGE', error.cause === undefined ? {} : { cause: error });
  if (error instanceof BlobStoreUnavailable || error instanceof MetadataUnavailable) return error;
  const isBroken = error instanceof BlobStoreFailed || error instanceof MetadataFailed;
  return isBroken ? new Refusal('UPLOAD_FAILED', { cause: error }) : error;
}
