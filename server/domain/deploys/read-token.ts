import type { Reads } from '../ports/metadata.ts';
import type { Secrets } from '../ports/secrets.ts';
import type { Deploy } from './deploy.ts';
import { originOf } from './push.ts';
import { sealedFor } from './webhook.ts';

interface Deps {
  readonly metadata: Reads<'gitWebhooks'>;
  readonly secrets: Pick<Secrets, 'unseal'>;
}

/**
 * The access token for a deploy's repository, or why it is cloned without one:
 * - `no-webhook`: the webhook has been removed
 * - `no-origin`: nothing has said yet where the token belongs
 * - `other-origin`: the repository lies elsewhere than the first one that was signed or cloned since the webhook was
 *   made.
 *   Whoever knows the webhook's address could name a server of their own, and would be sent the token.
 * - `unreadable`: it was stored under another master key
 */
export type DeployToken =
  | { readonly token: string }
  | { readonly without: 'no-webhook' | 'no-origin' | 'other-origin' | 'unreadable' };

/** Reads the token with which a deploy's repository is cloned. */
export async function readToken(
  { metadata, secrets }: Deps,
  { appId, repository }: Pick<Deploy, 'appId' | 'repository'>,
): Promise<DeployToken> {
  const webhook = await metadata.read.gitWebhooks.find(appId);
  if (!webhook) return { without: 'no-webhook' };
  if (webhook.tokenOrigin === null) return { without: 'no-origin' };
  if (originOf(repository) !== webhook.tokenOrigin) return { without: 'other-origin' };
  const token = secrets.unseal(sealedFor.token, webhook.sealedToken, appId);
  return token === undefined ? { without: 'unreadable' } : { token };
}
