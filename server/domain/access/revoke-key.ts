import { systemActor, type Actor } from '../activity/activity.ts';
import { recordActivity } from '../activity/record-activity.ts';
import { serverActor, type AuditActor } from '../audit/audit-entry.ts';
import { recordAudit } from '../audit/record-audit.ts';
import type { Transaction, Writes } from '../ports/metadata.ts';
import type { ApiKey } from './api-key.ts';
import { keyActivity, recordKeyEvent } from './key-activity.ts';
import { keyAudit } from './key-audit.ts';
import { auditedAsker, liveKeyOf, noSuchKey, requireLiveKey, type KeyAsker } from './live-key.ts';

interface Deps {
  readonly metadata: Writes<'activity' | 'apiKeys' | 'audit' | 'browserSessions' | 'events'>;
}

interface RevokedKey {
  readonly key: ApiKey & { readonly revokedAt: number };
  /** Whether an earlier call revoked it. `revokedAt` is then the instant of that call. */
  readonly wasRevoked: boolean;
}

/**
 * Revokes a key of any account, from the next request on. Only the operator may do that. May be called twice.
 *
 * @throws APIKEY_NOT_FOUND when no key has this id
 */
export function revokeKey({ metadata }: Deps, keyId: string, by: AuditActor = serverActor): Promise<RevokedKey> {
  return metadata.atomically(async (tx) => {
    const key = await tx.apiKeys.find(keyId);
    if (!key) throw noSuchKey('No key');
    if (key.revokedAt !== null) return { key: { ...key, revokedAt: key.revokedAt }, wasRevoked: true };
    return { key: await endKey(tx, key, systemActor, by), wasRevoked: false };
  });
}

interface RevokeLiveKey {
  readonly accountId: string;
  readonly keyId: string;
  /** Its key may be the one that is revoked. */
  readonly asker: KeyAsker;
}

/**
 * Revokes one of an account's live keys, from the next request on, with its S3 key pair, upload tokens and sessions.
 *
 * @throws APIKEY_NOT_FOUND when it is unknown, another account's, revoked or expired: all look the same
 * @throws ACCESS_DENIED when the asker's key has ended meanwhile
 */
export function revokeLiveKey({ metadata }: Deps, { accountId, keyId, asker }: RevokeLiveKey): Promise<void> {
  return metadata.atomically(
    async (tx) => {
      await requireLiveKey(tx, asker);
      await endKey(tx, await liveKeyOf(tx, accountId, keyId), asker.actor, auditedAsker(asker));
    },
    { account: accountId },
  );
}

async function endKey(
  tx: Transaction<'activity' | 'apiKeys' | 'audit' | 'browserSessions' | 'events'>,
  key: ApiKey,
  actor: Actor,
  by: AuditActor,
): Promise<RevokedKey['key']> {
  await tx.apiKeys.revoke(key.id, tx.now);
  await tx.browserSessions.endThoseOf({ keyId: key.id });
  await recordActivity(tx, keyActivity('key.revoked', key, actor));
  await recordKeyEvent(tx, 'key.revoked', key, { actor });
  await recordAudit(tx, keyAudit('key.revoked', key, by));
  return { ...key, revokedAt: tx.now };
}
