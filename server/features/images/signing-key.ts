import { createHmac, timingSafeEqual } from 'node:crypto';

import type { KeySecrets, Secrets } from '#server/domain/ports/secrets.ts';

const purpose = 'image-signing-key';

/**
 * Returns the key with which an account signs variants. It follows from the master key and is stored nowhere. After a
 * rotation it is another one, and what the former one signed stays valid for the grace period, as links do.
 */
export function imageSigningKey(secrets: Pick<KeySecrets, 'sign'>, accountId: string): string {
  return `cbi_${secrets.sign(purpose, accountId)}`;
}

interface SignedVariant {
  readonly accountId: string;
  /** The path of the address for clients. */
  readonly path: string;
  /** As `formatVariant()` returns it. */
  readonly variant: string;
}

/** Whether the account has signed this variant of the file at this path. Compares in constant time. */
export function isSignedVariant(
  secrets: Pick<Secrets, 'signers'>,
  { accountId, path, variant }: SignedVariant,
  signature: string,
): boolean {
  const given = Buffer.from(signature);
  return secrets.signers().some((signer) => {
    const mac = createHmac('sha256', imageSigningKey(signer, accountId)).update(`${path}?${variant}`);
    const expected = Buffer.from(mac.digest('base64url'));
    return given.length === expected.length && timingSafeEqual(given, expected);
  });
}
