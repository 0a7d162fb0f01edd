import { formatObjectId, type ObjectAddress } from '#server/domain/object-id.ts';
import type { KeySecrets, Secrets } from '#server/domain/ports/secrets.ts';

const purpose = 'receipts';

/** What a receipt states. @see openapi/codegen/client/verify-receipt.ts */
export interface Statement {
  readonly action: 'upload' | 'download';
  readonly object: ObjectAddress;
  readonly sizeBytes: number;
  readonly sha256: string;
  /** Milliseconds since the epoch. */
  readonly at: number;
  /** The key that the file was stored with; null for a download. */
  readonly keyId: string | null;
}

/** A public key in the form of a JSON Web Key (RFC 8037). */
interface ReceiptKey {
  kty: 'OKP';
  crv: 'Ed25519';
  alg: 'EdDSA';
  use: 'sig';
  kid: string;
  x: string;
}

/** Names the key of receipts that a master key yields. */
function keyIdOf({ keyNumber }: Pick<KeySecrets, 'keyNumber'>): string {
  return `receipts-${keyNumber}`;
}

/**
 * Returns a signed statement in the compact form of JWS (RFC 7515), which a backend can verify without a request. The
 * key is derived from the master key, so a server that is restored from a backup signs with the same one.
 */
export function receiptOf(
  secrets: Pick<Secrets, 'keyNumber' | 'signAsymmetric'>,
  { action, object, sizeBytes, sha256, at, keyId }: Statement,
): string {
  return signedStatement(secrets, 'cubby-receipt', {
    action,
    id: formatObjectId(object),
    size: sizeBytes,
    sha256,
    at: new Date(at).toISOString(),
    account: object.accountId,
    key: keyId,
  });
}

/**
 * Signs the payload of a receipt.
 *
 * @param kind keeps receipts of different contents apart
 */
export function signedStatement(
  secrets: Pick<Secrets, 'keyNumber' | 'signAsymmetric'>,
  kind: 'cubby-receipt' | 'cubby-sent-receipt',
  payload: object,
): string {
  const head = { alg: 'EdDSA', typ: kind, kid: keyIdOf(secrets) };
  const content = `${encoded(head)}.${encoded(payload)}`;
  return `${content}.${Buffer.from(secrets.signAsymmetric(purpose, Buffer.from(content))).toString('base64url')}`;
}

function encoded(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url');
}

/** Returns the public keys of the master keys that are valid, the current one first. */
export function receiptKeys(secrets: Pick<Secrets, 'signers'>): ReceiptKey[] {
  return secrets.signers().map((key) => ({
    kty: 'OKP',
    crv: 'Ed25519',
    alg: 'EdDSA',
    use: 'sig',
    kid: keyIdOf(key),
    x: Buffer.from(key.publicKey(purpose)).toString('base64url'),
  }));
}
