import type { ActivityRecord, Actor } from '../activity/activity.ts';
import type { ApiKey } from './api-key.ts';

/** Makes the activity record of a key. It contains the key's id and name, but no part of its secret. */
export function keyActivity(
  type: 'key.created' | 'key.revoked',
  { accountId, id, name }: ApiKey,
  actor: Actor,
  more: object = {},
): ActivityRecord {
  return { accountId, type, object: null, details: { key: id, name, ...more }, actor };
}
