import type { Actor } from '../activity/activity.ts';
import type { Transaction } from '../ports/metadata.ts';
import { Refusal } from '../refusal.ts';
import { isLive, type ApiKey } from './api-key.ts';

/**
 * One of an account's live keys.
 *
 * @throws APIKEY_NOT_FOUND when it is another account's, revoked or expired: all look as if there were none
 */
export async function liveKeyOf(tx: Transaction<'apiKeys'>, accountId: string, keyId: string): Promise<ApiKey> {
  const key = await tx.apiKeys.find(keyId);
  if (!key || key.accountId !== accountId || !isLive(key, tx.now)) throw new Refusal('APIKEY_NOT_FOUND');
  return key;
}

/** Who asks for a change of keys over the API. */
export interface KeyAsker {
  /** The key that was sent. */
  readonly keyId: string;
  readonly actor: Actor;
}

/**
 * Asks once more, where keys are changed, whether the key that changes them still lives: what was let in a moment
 * before its key was revoked must not leave a new key behind. Without an asker it is the operator.
 *
 * @throws ACCESS_DENIED
 */
export async function requireLiveKey(tx: Transaction<'apiKeys'>, asker: KeyAsker | undefined): Promise<void> {
  if (!asker) return;
  const key = await tx.apiKeys.find(asker.keyId);
  if (!key || !isLive(key, tx.now)) throw new Refusal('ACCESS_DENIED');
}
