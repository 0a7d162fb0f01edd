import type { Metadata } from '../ports/metadata.ts';
import type { Secrets } from '../ports/secrets.ts';
import { sweep } from '../sweep.ts';
import { sealedFor, type Webhook } from './webhook.ts';

type Sealed = Pick<Webhook, 'id' | 'sealedUrl'>;

/** Encrypts the address of a webhook for storage. */
export function sealUrl(secrets: Pick<Secrets, 'seal'>, webhookId: string, url: string): string {
  return secrets.seal(sealedFor.url, url, webhookId);
}

/** Returns the address of a webhook. Undefined if it cannot be read under the master key. */
export function openUrl(secrets: Pick<Secrets, 'unseal'>, { id, sealedUrl }: Sealed): string | undefined {
  return isPlain(sealedUrl) ? sealedUrl : secrets.unseal(sealedFor.url, sealedUrl, id);
}

/** Whether an address is from before addresses were sealed. Sealed texts are base64url. */
function isPlain(sealedUrl: string): boolean {
  return sealedUrl.includes(':');
}

/**
 * Returns what replaces a stored address after a rotation of the master key. Undefined if there is nothing to change, or it
 * cannot be read.
 */
export function renewedUrl(secrets: Pick<Secrets, 'seal' | 'signers' | 'unseal'>, webhook: Sealed): string | undefined {
  if (secrets.signers()[0]!.unseal(sealedFor.url, webhook.sealedUrl, webhook.id) !== undefined) return undefined;
  const url = openUrl(secrets, webhook);
  return url === undefined ? undefined : sealUrl(secrets, webhook.id, url);
}

/** Addresses that one transaction seals. */
const batchRows = 200;

/**
 * Seals the addresses that are stored as they are, from before. Returns how many. Several processes may do so at once, and
 * requests go on meanwhile.
 */
export async function sealUrls({
  metadata,
  secrets,
}: {
  readonly metadata: Metadata<'webhooks'>;
  readonly secrets: Pick<Secrets, 'seal'>;
}): Promise<number> {
  return sweep(
    batchRows,
    (limit) => metadata.read.webhooks.withPlainUrl(limit),
    async (webhooks) => {
      const sealed = webhooks.map((webhook) => [webhook, sealUrl(secrets, webhook.id, webhook.sealedUrl)] as const);
      await metadata.atomically(async (tx) => {
        for (const [webhook, url] of sealed) await tx.webhooks.renewUrl(webhook, url);
      });
      return webhooks.length;
    },
  );
}
