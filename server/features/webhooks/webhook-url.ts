import { toReseal } from '#server/domain/master-key/to-reseal.ts';
import type { Secrets } from '#server/domain/ports/secrets.ts';
import { sealedFor, type Webhook } from './webhook.ts';

type Sealed = Pick<Webhook, 'id' | 'sealedUrl'>;

/** Encrypts the address of a webhook for storage. */
export function sealUrl(secrets: Pick<Secrets, 'seal'>, webhookId: string, url: string): string {
  return secrets.seal(sealedFor.url, url, webhookId);
}

/** Returns the address of a webhook. Undefined if it cannot be read under the master key. */
export function openUrl(secrets: Pick<Secrets, 'unseal'>, { id, sealedUrl }: Sealed): string | undefined {
  return secrets.unseal(sealedFor.url, sealedUrl, id);
}

/**
 * Returns what replaces a stored address after a rotation of the master key. Undefined if there is nothing to change,
 * or it cannot be read.
 */
export function renewedUrl(secrets: Pick<Secrets, 'seal' | 'signers' | 'unseal'>, webhook: Sealed): string | undefined {
  const url = toReseal(secrets, sealedFor.url, webhook.sealedUrl, webhook.id);
  return url === undefined ? undefined : sealUrl(secrets, webhook.id, url);
}
