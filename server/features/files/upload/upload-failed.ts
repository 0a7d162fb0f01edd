import { BlobStoreFailed, BlobStoreFull, BlobStoreUnavailable } from '#server/domain/ports/blobs.ts';
import { MetadataFailed, MetadataFull, MetadataUnavailable } from '#server/domain/ports/metadata.ts';
import { Refusal } from '#server/domain/refusal.ts';

/**
 * Translates the error of a store that is full or broken to INSUFFICIENT_STORAGE or UPLOAD_FAILED, with its cause.
 * Returns other errors unchanged. The error of an unavailable store is one of them: see `failedAs()`.
 */
export function uploadFailed(error: unknown): unknown {
  // Without a cause it is not a fault, because the upload was rejected to keep the reserve free.
  if (error instanceof BlobStoreFull || error instanceof MetadataFull)
    return new Refusal('INSUFFICIENT_STORAGE', error.cause === undefined ? {} : { cause: error });
  return completionFailed(error);
}

/**
 * The same for a request that brings no bytes. A full store is UPLOAD_FAILED there, because such a request needs no
 * space for a file.
 */
export function completionFailed(error: unknown): unknown {
  if (error instanceof BlobStoreUnavailable || error instanceof MetadataUnavailable) return error;
  const isBroken = error instanceof BlobStoreFailed || error instanceof MetadataFailed;
  return isBroken ? new Refusal('UPLOAD_FAILED', { cause: error }) : error;
}
