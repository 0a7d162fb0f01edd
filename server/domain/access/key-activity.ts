import type { ActivityRecord, Actor } from '../activity/activity.ts';
import type { Transaction } from '../ports/metadata.ts';
import type { ApiKey } from './api-key.ts';

/** Makes the activity record of a key. It contains the key's id and name, but no part of its secret. */
export function keyActivity(
  type: 'key.created' | 'key.updated' | 'key.revoked' | 'key.ai_limit_reached',
  { accountId, id, name }: ApiKey,
  actor: Actor,
  more: object = {},
): ActivityRecord {
  return { accountId, type, object: null, details: { key: id, name, ...more }, actor };
}

/** Adds the event of a key, with the same details. */
export async function recordKeyEvent(
  tx: Transaction<'events'>,
  type: 'key.created' | 'key.updated' | 'key.revoked',
  { accountId, id, name }: ApiKey,
  { actor, ...more }: { readonly actor: Actor; readonly isRegenerated?: true },
): Promise<void> {
  const data = { key: { id, name }, auth: actor.auth, ...more };
  await tx.events.add({ accountId, type, key: null, data }, tx.now);
}
