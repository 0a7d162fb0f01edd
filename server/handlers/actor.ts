import type { Actor } from '#server/domain/activity/activity.ts';
import type { Call } from './call.ts';

/** Who sends a request, as the account's activity shows it. */
export function actorOf({ origin, caller }: Pick<Call, 'origin' | 'caller'>): Actor {
  return { sourceIp: origin.address, userAgent: origin.userAgent, auth: caller.token ? 'upload_token' : 'api_key' };
}
