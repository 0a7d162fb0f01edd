import type { Config } from '#server/config/config.ts';
import { isLive, type ApiKey } from '#server/domain/access/api-key.ts';
import { instant } from '../columns.ts';

export function stateOf(key: ApiKey, now: number): 'live' | 'expired' | 'revoked' {
  if (isLive(key, now)) return 'live';
  return key.revokedAt === null ? 'expired' : 'revoked';
}

/** Returns a key for `--json`. */
export function keyJson(key: ApiKey, now: number) {
  return {
    key_id: key.id,
    name: key.name,
    state: stateOf(key, now),
    scopes: key.scopes,
    resources: key.resources,
    prefixes: key.prefixes,
    created_at: instant(key.createdAt),
    last_used_at: instant(key.lastUsedAt),
    expires_at: instant(key.expiresAt),
    revoked_at: instant(key.revokedAt),
    last4: key.last4,
  };
}

/** Returns the note for a new key: that it is shown only once, and how to use it. */
export function keptNowhere({ urls, ports }: Config, credential: string): string {
  const base = urls.base ?? urls.api ?? `http://localhost:${ports.api || '<port>'}`;
  return `Save the API key now: it is shown only once and stored nowhere. It works at once, also on a running server:

  curl -H "Authorization: ${credential}" "${base}/v1/objects"`;
}
