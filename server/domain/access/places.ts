import type { ApiKey } from './api-key.ts';
import { everyScope } from './scope.ts';

interface LiveKeys {
  readonly apiKeys: { liveOf(accountId: string, now: number): Promise<readonly ApiKey[]> };
  readonly now: number;
}

/** Returns how many of the places of a cap are kept for keys with full access. */
export function placesOfOwner(cap: number): number {
  return Math.max(1, Math.floor(cap / 10));
}

/**
 * Returns how many of an account's `cap` places may be taken before a key gets no more. A key with full access may fill
 * all of them. Other keys leave a tenth, at least one, so that a leaked key cannot lock the owner out. Without a key
 * with full access there is nobody to keep a place for.
 *
 * @param keyId the key that was sent, or that minted the upload token
 */
export async function placesFor(
  { apiKeys, now }: LiveKeys,
  accountId: string,
  keyId: string | undefined,
  cap: number,
): Promise<number> {
  const owners = (await apiKeys.liveOf(accountId, now)).filter(({ scopes }) => scopes.includes(everyScope));
  const isKept = owners.length > 0 && !owners.some(({ id }) => id === keyId);
  return isKept ? cap - placesOfOwner(cap) : cap;
}
