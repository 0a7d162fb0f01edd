import type { Actor } from '../activity/activity.ts';
import type { AuditActor } from '../audit/audit-entry.ts';
import { keyHolder } from '../audit/record-audit.ts';
import { maxLiveKeys } from '../limits.ts';
import type { Transaction } from '../ports/metadata.ts';
import { Refusal } from '../refusal.ts';
import { isLive, type ApiKey } from './api-key.ts';

/**
 * Finds one of an account's live keys.
 *
 * @throws APIKEY_NOT_FOUND when it is unknown, another account's, revoked or expired: all look the same
 */
export async function liveKeyOf(tx: Transaction<'apiKeys'>, accountId: string, keyId: string): Promise<ApiKey> {
  const key = await tx.apiKeys.find(keyId);
  if (!key || key.accountId !== accountId || !isLive(key, tx.now)) throw new Refusal('APIKEY_NOT_FOUND');
  return key;
}

/**
 * Returns the refusal for an operator, who looks among the keys of all accounts.
 *
 * @param what the beginning of the message, such as `No live key`
 */
export function noSuchKey(what: string): Refusal {
  return new Refusal('APIKEY_NOT_FOUND', {
    message: `${what} has that id. List the keys to see those that there are.`,
  });
}

/** Checks that the account may have one more key. @throws APIKEY_LIMIT_REACHED when it has ten live keys */
export async function requireOneMoreKey(tx: Transaction<'apiKeys'>, accountId: string): Promise<void> {
  if ((await tx.apiKeys.countLive(accountId, tx.now)) >= maxLiveKeys) throw new Refusal('APIKEY_LIMIT_REACHED');
}

/** The caller who changes keys over the API. */
export interface KeyAsker {
  /** The key that was sent. */
  readonly keyId: string;
  readonly actor: Actor;
}

/** Returns the caller as the audit log shows it. */
export function auditedAsker({ keyId, actor }: KeyAsker): AuditActor {
  return keyHolder(keyId, actor);
}

/**
 * Checks again, in the transaction that changes keys, that the asker's key is live. A key that was revoked in the
 * meantime therefore creates no new one. Without an asker the operator makes the change, and nothing is checked.
 *
 * @returns when the asker's key ends, which no key that it makes outlives. Null if it does not end
 * @throws ACCESS_DENIED
 */
export async function requireLiveKey(tx: Transaction<'apiKeys'>, asker: KeyAsker | undefined): Promise<number | null> {
  if (!asker) return null;
  const key = await tx.apiKeys.find(asker.keyId);
  if (!key || !isLive(key, tx.now)) throw new Refusal('ACCESS_DENIED');
  return key.expiresAt;
}

/** Returns the earlier of two ends. Null for none. */
export function earlierEnd(one: number | null, other: number | null): number | null {
  if (one === null || other === null) return one ?? other;
  return Math.min(one, other);
}
