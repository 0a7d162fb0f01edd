import type { KeySecrets, Secrets } from './ports/secrets.ts';

/**
 * Looks up what is stored under the keyed hash of a credential. While the master key is rotated, it is stored under
 * either key. So it asks again only then, and only for a credential that the current key does not find.
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
