import { createHmac, createPrivateKey, generateKeyPairSync, sign } from 'node:crypto';

import { toReseal } from '#server/domain/master-key/to-reseal.ts';
import type { Ids } from '#server/domain/ports/ids.ts';
import type { Secrets } from '#server/domain/ports/secrets.ts';
import { sealedFor, type SealedSecrets, type Webhook } from './webhook.ts';

/** The secrets of a webhook in the form of the Standard Webhooks specification, and their sealed form. */
interface NewSecrets {
  /** `whsec_` and base64. It is not stored in this form, so it can be shown only now. */
  readonly secret: string;
  /** `whpk_` and base64. */
  readonly publicKey: string;
  readonly sealed: SealedSecrets;
}

const secretPrefix = 'whsec_';

/** An Ed25519 public key in DER is this many bytes of header and 32 of the key. */
const derHeaderBytes = 12;

/** Makes the secrets of a webhook. */
export function newSecrets(
  { ids, secrets }: { readonly ids: Pick<Ids, 'rootKey'>; readonly secrets: Pick<Secrets, 'seal'> },
  webhookId: string,
): NewSecrets {
  const secret = Buffer.from(ids.rootKey()).toString('base64');
  const { publicKey, privateKey } = generateKeyPairSync('ed25519');
  const rawKey = publicKey.export({ type: 'spki', format: 'der' }).subarray(derHeaderBytes);
  const key = privateKey.export({ type: 'pkcs8', format: 'der' }).toString('base64');
  return {
    secret: `${secretPrefix}${secret}`,
    publicKey: `whpk_${rawKey.toString('base64')}`,
    sealed: {
      secret: secrets.seal(sealedFor.secret, secret, webhookId),
      key: secrets.seal(sealedFor.key, key, webhookId),
    },
  };
}

/** Returns a `v1` signature. @param secret in base64, with or without `whsec_` */
export function hmacSignature(secret: string, content: string | Uint8Array): string {
  const key = Buffer.from(secret.startsWith(secretPrefix) ? secret.slice(secretPrefix.length) : secret, 'base64');
  return `v1,${createHmac('sha256', key).update(content).digest('base64')}`;
}

/**
 * Returns the header `webhook-signature`: for each pair of secrets in force a `v1` signature (HMAC-SHA256) and a `v1a`
 * one (Ed25519), separated by spaces. Undefined if the secrets cannot be read under the master key.
 *
 * @see https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md
 */
export function signatureOf(
  secrets: Pick<Secrets, 'unseal'>,
  { id, sealed, formerSealed, formerUntil }: Webhook,
  message: { readonly id: string; readonly timestamp: number; readonly body: string },
  now: number,
): string | undefined {
  // "The content to be signed is formed by concatenating the id, timestamp and payload, separated by full stops."
  const content = Buffer.from(`${message.id}.${message.timestamp}.${message.body}`);
  const pairs = [sealed, ...(formerSealed && formerUntil !== null && now < formerUntil ? [formerSealed] : [])];
  const signatures: string[] = [];
  for (const pair of pairs) {
    const secret = secrets.unseal(sealedFor.secret, pair.secret, id);
    const key = secrets.unseal(sealedFor.key, pair.key, id);
    if (secret === undefined || key === undefined) continue;
    const privateKey = createPrivateKey({ key: Buffer.from(key, 'base64'), format: 'der', type: 'pkcs8' });
    signatures.push(hmacSignature(secret, content), `v1a,${sign(null, content, privateKey).toString('base64')}`);
  }
  return signatures.length === 0 ? undefined : signatures.join(' ');
}

/**
 * Returns what replaces sealed secrets after a rotation of the master key. Undefined if there is nothing to change, or
 * they cannot be read.
 */
export function renewedSecrets(
  secrets: Pick<Secrets, 'seal' | 'signers' | 'unseal'>,
  webhookId: string,
  pair: SealedSecrets,
): SealedSecrets | undefined {
  const secret = toReseal(secrets, sealedFor.secret, pair.secret, webhookId);
  const key = secrets.unseal(sealedFor.key, pair.key, webhookId);
  if (secret === undefined || key === undefined) return undefined;
  return {
    secret: secrets.seal(sealedFor.secret, secret, webhookId),
    key: secrets.seal(sealedFor.key, key, webhookId),
  };
}
