import type { KeySecrets, Secrets } from './ports/secrets.ts';

/**
 * Looks up what is stored under the keyed hash of a credential. During a rotation of the master key it may be stored
 * under either key. So there is a second look-up only then, and only if the current key finds nothing.
 *
 * @param find returns undefined if nothing is stored under this hash
 */
export async function findByCredential<Found>(
  secrets: Pick<Secrets, 'finders'>,
  credential: string,
  find: (hash: Uint8Array, key: KeySecrets) => Promise<Found | undefined>,
): Promise<Found | undefined> {
  const keys = secrets.finders();
  for (const key of keys) {
    const found = await find(key.credentialHash(credential), key);
    if (found !== undefined) return found;
  }
  // Another request may have stored it under the current key after the first look-up and before the last one.
  return keys.length === 1 ? undefined : find(keys[0]!.credentialHash(credential), keys[0]!);
}

/** Returns the form of a keyed hash in a column of text: 43 characters of base64url. */
export function hashText(hash: Uint8Array): string {
  return Buffer.from(hash).toString('base64url');
}
