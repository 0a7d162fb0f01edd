import { MetadataUnavailable } from '../ports/metadata.ts';
import { Refusal } from '../refusal.ts';

/** A repository host is asked to deliver again after so long. */
const retryAfterSeconds = 10;

/** A store that cannot work, as repository hosts are told of it; everything else passes as it is. */
export function asQueueFault(error: unknown): unknown {
  if (!(error instanceof MetadataUnavailable)) return error;
  return Object.assign(new Refusal('DEPLOY_QUEUE_UNAVAILABLE', { retryAfterSeconds }), { cause: error });
}
