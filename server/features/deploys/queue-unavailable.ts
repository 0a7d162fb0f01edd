import { MetadataFailed } from '#server/domain/ports/metadata.ts';
import { Refusal } from '#server/domain/refusal.ts';

/**
 * Turns any failure of the store into DEPLOY_QUEUE_UNAVAILABLE, which says when to deliver again. Rethrows other
 * errors.
 */
export function queueUnavailable(error: unknown): never {
  if (!(error instanceof MetadataFailed)) throw error;
  throw new Refusal('DEPLOY_QUEUE_UNAVAILABLE', { cause: error });
}
