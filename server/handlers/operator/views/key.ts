import type { OperatorKeyOfAccount } from '#generated/types.ts';
import { isLive, type ApiKey } from '#server/domain/access/api-key.ts';
import { wireAiLimits } from '#server/domain/access/key-ai-limits.ts';
import type { CreatedKey } from '#server/domain/access/create-key.ts';
import { timestamp, timestampOrNull } from '../../wire.ts';

export function keyStateOf(key: ApiKey, now: number): 'live' | 'expired' | 'revoked' {
  if (isLive(key, now)) return 'live';
  return key.revokedAt === null ? 'expired' : 'revoked';
}

/** Returns a key of an account as the operator's API and `--json` show it. */
export function keyView(key: ApiKey, now: number) {
  return {
    key_id: key.id,
    name: key.name,
    state: keyStateOf(key, now),
    scopes: [...key.scopes] as OperatorKeyOfAccount['scopes'],
    resources: key.resources && [...key.resources],
    prefixes: key.prefixes && [...key.prefixes],
    ...(key.ai && { ai: wireAiLimits(key.ai)! }),
    created_at: timestamp(key.createdAt),
    last_used_at: timestampOrNull(key.lastUsedAt),
    expires_at: timestampOrNull(key.expiresAt),
    revoked_at: timestampOrNull(key.revokedAt),
    last4: key.last4,
  };
}

/** Returns a new key, with its secret. */
export function newKeyView({ key, credential }: CreatedKey) {
  return { key_id: key.id, api_key: credential, scopes: [...key.scopes] as OperatorKeyOfAccount['scopes'] };
}

/** Returns a revoked key. */
export function revokedKeyView({ id, accountId, name, revokedAt }: ApiKey & { readonly revokedAt: number }) {
  return { key_id: id, account_id: accountId, name, revoked_at: timestamp(revokedAt) };
}
