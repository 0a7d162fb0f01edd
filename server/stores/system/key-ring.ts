import type { KeySecrets, Secrets } from '#server/domain/ports/secrets.ts';
import { keySecrets } from './secrets.ts';

/** A master key that is valid. Instants are milliseconds since the epoch, and Infinity without an end. */
export interface RingKey {
  readonly bytes: Uint8Array;
  /** 1 for the first key of the installation, and one more for each further one. */
  readonly number: number;
  /** Its signatures are valid until then. */
  readonly signsUntil: number;
  /** What is stored under it is found and read until then. */
  readonly findsUntil: number;
}

/** The current key first. */
export type RingKeys = readonly [RingKey, ...RingKey[]];

/** The master keys that are valid, as one port that changes with them. */
export interface KeyRing {
  readonly secrets: Secrets;
  readonly keys: RingKeys;
  replace(keys: RingKeys): void;
}

/** A key with the secrets that are derived from it. */
interface DerivedKey extends RingKey {
  readonly secrets: KeySecrets;
}

/**
 * Holds the master keys that are valid at the moment. With one key, it does no more than {@link keySecrets}.
 *
 * @param onUnknown called after a signature that no key made, and a text that no key opens. It must be quick
 */
export function keyRing(first: RingKeys, now: () => number, onUnknown: () => void = () => {}): KeyRing {
  let keys = first;
  let derived = derive(first, []);
  const current = () => derived[0]!.secrets;
  const valid = (until: 'signsUntil' | 'findsUntil'): readonly KeySecrets[] => {
    if (derived.length === 1) return [current()];
    const at = now();
    return derived.filter((key, index) => index === 0 || at < key[until]).map(({ secrets }) => secrets);
  };
  return {
    get keys() {
      return keys;
    },
    replace(next) {
      derived = derive(next, derived);
      keys = next;
    },
    secrets: {
      get keyNumber() {
        return current().keyNumber;
      },
      credentialHash: (credential) => current().credentialHash(credential),
      sign: (purpose, text) => current().sign(purpose, text),
      verify(purpose, text, signature) {
        if (valid('signsUntil').some((key) => key.verify(purpose, text, signature))) return true;
        onUnknown();
        return false;
      },
      signAsymmetric: (purpose, content) => current().signAsymmetric(purpose, content),
      publicKey: (purpose) => current().publicKey(purpose),
      seal: (purpose, text, boundTo) => current().seal(purpose, text, boundTo),
      unseal(purpose, sealed, boundTo) {
        for (const key of valid('findsUntil')) {
          const text = key.unseal(purpose, sealed, boundTo);
          if (text !== undefined) return text;
        }
        onUnknown();
        return undefined;
      },
      finders: () => valid('findsUntil'),
      signers: () => valid('signsUntil'),
    },
  };
}

/** Keeps what was derived from the same keys before. */
function derive(keys: RingKeys, before: readonly DerivedKey[]): readonly DerivedKey[] {
  return keys.map((key) => {
    const known = before.find(({ bytes, number }) => number === key.number && Buffer.compare(bytes, key.bytes) === 0);
    return { ...key, secrets: known?.secrets ?? keySecrets(key.bytes, key.number) };
  });
}
