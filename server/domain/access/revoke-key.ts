import { systemActor, type Actor } from '../activity/activity.ts';
import { recordActivity } from '../activity/record-activity.ts';
import type { Transaction, Writes } from '../ports/metadata.ts';
import { Refusal } from '../refusal.ts';
import type { ApiKey } from './api-key.ts';
import { keyActivity } from './key-activity.ts';
import { liveKeyOf, requireLiveKey, type KeyAsker } from './live-key.ts';

interface Deps {
  readonly metadata: Writes<'activity' | 'apiKeys'>;
}

/** How a revocation ended. */
export interface RevokedKey {
  readonly key: ApiKey & { readonly revokedAt: number };
  /** Whether an earlier call had revoked it; its instant stays. */
  readonly wasRevoked: boolean;
}

/**
 * Ends a key of any account for good, from the next request on: for the operator. May be called twice.
 *
 * @throws APIKEY_NOT_FOUND when there is no such key
 */
export function revokeKey({ metadata }: Deps, keyId: string): Promise<RevokedKey> {
  return metadata.atomically(async (tx) => {
    const key = await tx.apiKeys.find(keyId);
    if (!key) throw new Refusal('APIKEY_NOT_FOUND');
    if (key.revokedAt !== null) return { key: { ...key, revokedAt: key.revokedAt }, wasRevoked: true };
    return { key: await endKey(tx, key, systemActor), wasRevoked: false };
  });
}

export interface RevokeLiveKey {
  readonly accountId: string;
  readonly keyId: string;
  /** Its key may be this one. */
  readonly asker: KeyAsker;
}

/**
 * Ends one of an account's live keys for good, from the next request on, and with it everything that hangs on it.
 *
 * @throws APIKEY_NOT_FOUND when it is another account's, revoked or expired: all look as if there were none
 * @throws ACCESS_DENIED when the key that asks for it has ended meanwhile
 */
export function revokeLiveKey({ metadata }: Deps, { accountId, keyId, asker }: RevokeLiveKey): Promise<void> {
  return metadata.atomically(async (tx) => {
    await requireLiveKey(tx, asker);
    await endKey(tx, await liveKeyOf(tx, accountId, keyId), asker.actor);
  });
}

async function endKey(tx: Transaction<'activity' | 'apiKeys'>, key: ApiKey, actor: Actor): Promise<RevokedKey['key']> {
  await tx.apiKeys.revoke(key.id, tx.now);
  await recordActivity(tx, keyActivity('key.revoked', key, actor));
  return { ...key, revokedAt: tx.now };
}
