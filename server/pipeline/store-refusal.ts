import { BlobStoreFailed } from '#server/domain/ports/blobs.ts';
import { MetadataFailed, MetadataMoving } from '#server/domain/ports/metadata.ts';
import { Refusal } from '#server/domain/refusal.ts';

/** The longest time for which a move refuses writes, and a restart of the servers. */
const movingSeconds = 10;

/**
 * Returns STORAGE_UNAVAILABLE for the error of a store, with that error as its cause. Returns undefined for other
 * errors. A store that is broken gets there too, unless the use case has a code of its own for that.
 */
export function storeRefusal(error: unknown): Refusal | undefined {
  if (!(error instanceof BlobStoreFailed || error instanceof MetadataFailed)) return undefined;
  if (!(error instanceof MetadataMoving)) return new Refusal('STORAGE_UNAVAILABLE', { cause: error });
  const detail = 'It is moving to another place, which takes seconds.';
  return new Refusal('STORAGE_UNAVAILABLE', { cause: error, retryAfterSeconds: movingSeconds, detail });
}
