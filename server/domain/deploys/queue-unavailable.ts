import { unavailableAs } from '../unavailable-as.ts';

/**
 * A store that cannot work, as repository hosts are told of it, with when to deliver again; all else passes as it is.
 */
export const queueUnavailable = unavailableAs('DEPLOY_QUEUE_UNAVAILABLE', { retryAfterSeconds: 10 });
