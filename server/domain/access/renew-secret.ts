import type { Transaction } from '../ports/metadata.ts';
import type { Secrets } from '../ports/secrets.ts';
import type { SentSecret } from './caller.ts';

/**
 * Describes the secret that found a key.
 *
 * @param keyNumber of the master key that `hash` is made with
 */
export function sentSecret(
  secrets: Pick<Secrets, 'credentialHash' | 'keyNumber'>,
  credential: string,
  hash: Uint8Array,
  keyNumber: number,
): SentSecret {
  if (keyNumber >= secrets.keyNumber) return { hash };
  return { hash, renewed: { hash: secrets.credentialHash(credential), keyNumber: secrets.keyNumber } };
}

/**
 * Stores the hash of a key under the current master key, if it is under a former one. Nothing but a client can do that,
 * because the server does not know the key. Does nothing if another request has done it, or the key has got another
 * secret. Sessions of the key go on.
 */
export async function renewSecret(
  tx: Transaction<'apiKeys'>,
  keyId: string,
  { hash, renewed }: SentSecret,
): Promise<void> {
  if (renewed) await tx.apiKeys.renewHash(keyId, hash, renewed);
}
