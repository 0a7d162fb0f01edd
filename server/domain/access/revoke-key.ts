import type { Metadata } from '../ports/metadata.ts';
import { Refusal } from '../refusal.ts';
import type { ApiKey } from './api-key.ts';

/** How a revocation ended. */
export interface RevokedKey {
  readonly key: ApiKey & { readonly revokedAt: number };
  /** Whether an earlier call had revoked it; its instant stays. */
  readonly wasRevoked: boolean;
}

/**
 * Ends a key for good, from the next request on. May be called twice.
 *
 * @throws APIKEY_NOT_FOUND when there is no such key
 */
export function revokeKey({ metadata }: { readonly metadata: Pick<Metadata, 'atomically'> }, keyId: string): Promise<RevokedKey> {
  return metadata.atomically(async (tx) => {
    const key = await tx.apiKeys.find(keyId);
    if (!key) throw new Refusal('APIKEY_NOT_FOUND');
    if (key.revokedAt !== null) return { key: { ...key, revokedAt: key.revokedAt }, wasRevoked: true };
    await tx.apiKeys.revoke(keyId, tx.now);
    return { key: { ...key, revokedAt: tx.now }, wasRevoked: false };
  });
}
