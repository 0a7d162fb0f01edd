import { unavailableAs } from '../unavailable-as.ts';

/**
 * Turns a failure of the store into DEPLOY_QUEUE_UNAVAILABLE, which says when to deliver again. Rethrows other errors.
 */
export const queueUnavailable = unavailableAs('DEPLOY_QUEUE_UNAVAILABLE', { retryAfterSeconds: 10 });
