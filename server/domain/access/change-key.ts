import { systemActor } from '../activity/activity.ts';
import { recordActivity } from '../activity/record-activity.ts';
import { serverActor, type AuditActor } from '../audit/audit-entry.ts';
import { recordAudit } from '../audit/record-audit.ts';
import type { Transaction, Writes } from '../ports/metadata.ts';
import { isLive, type ApiKey } from './api-key.ts';
import { keyActivity, recordKeyEvent } from './key-activity.ts';
import { changedAiLimits, wireAiLimits, type KeyAiLimits } from './key-ai-limits.ts';
import { keyAudit } from './key-audit.ts';
import { auditedAsker, liveKeyOf, noSuchKey, requireLiveKey, type KeyAsker } from './live-key.ts';

interface Deps {
  readonly metadata: Writes<'activity' | 'apiKeys' | 'audit' | 'events'>;
}

interface ChangeLiveKey {
  readonly accountId: string;
  readonly keyId: string;
  /** The limits to change. A limit of null is removed, and null in place of all removes every one. */
  readonly ai: Partial<KeyAiLimits> | null;
  /** Its key may be the one that is changed. */
  readonly asker: KeyAsker;
}

/**
 * Changes the limits of one of an account's live keys in the AI gateway, from its next request on. Requests under way
 * keep the former ones.
 *
 * @returns the key afterwards
 * @throws APIKEY_NOT_FOUND when it is unknown, another account's, revoked or expired: all look the same
 * @throws ACCESS_DENIED when the asker's key has ended meanwhile
 */
export function changeLiveKey({ metadata }: Deps, { accountId, keyId, ai, asker }: ChangeLiveKey): Promise<ApiKey> {
  return metadata.atomically(
    async (tx) => {
      await requireLiveKey(tx, asker);
      const key = await liveKeyOf(tx, accountId, keyId);
      return setLimits(tx, key, ai, asker);
    },
    { account: accountId },
  );
}

/**
 * Changes the limits of a live key of any account. Only the operator may do that.
 *
 * @throws APIKEY_NOT_FOUND when no live key has this id
 */
export function changeKey(
  { metadata }: Deps,
  keyId: string,
  ai: Partial<KeyAiLimits> | null,
  by: AuditActor = serverActor,
): Promise<ApiKey> {
  return metadata.atomically(async (tx) => {
    const key = await tx.apiKeys.find(keyId);
    if (!key || !isLive(key, tx.now)) throw noSuchKey('No live key');
    return setLimits(tx, key, ai, by);
  });
}

async function setLimits(
  tx: Transaction<'activity' | 'apiKeys' | 'audit' | 'events'>,
  before: ApiKey,
  change: Partial<KeyAiLimits> | null,
  who: KeyAsker | AuditActor,
): Promise<ApiKey> {
  const key = { ...before, ai: changedAiLimits(before.ai, change) };
  const isSame = JSON.stringify(key.ai) === JSON.stringify(before.ai);
  if (isSame) return before;
  const isByCaller = 'actor' in who;
  const actor = isByCaller ? who.actor : systemActor;
  await tx.apiKeys.setAiLimits(key.id, key.ai);
  await recordActivity(tx, keyActivity('key.updated', key, actor, { ai: wireAiLimits(key.ai) }));
  await recordKeyEvent(tx, 'key.updated', key, { actor });
  await recordAudit(tx, keyAudit('key.ai_limits_changed', key, isByCaller ? auditedAsker(who) : who));
  return key;
}
