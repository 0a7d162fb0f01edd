import type { Reads } from '#server/domain/ports/metadata.ts';
import type { Secrets } from '#server/domain/ports/secrets.ts';
import type { Deploy } from './deploy.ts';
import { originOf } from './push.ts';
import { sealedFor } from './webhook.ts';

interface Deps {
  readonly metadata: Reads<'gitWebhooks'>;
  readonly secrets: Pick<Secrets, 'unseal'>;
}

/**
 * The access token for a deploy's repository, or why it is cloned without one:
 * - `no-webhook`: the webhook was removed
 * - `no-origin`: the token is not bound to an origin yet
 * - `other-origin`: the repository has another origin than the first that was signed or cloned since the webhook was
 *   created. Otherwise anybody who knows the webhook's address could have the token sent to their own server
 * - `unreadable`: it was stored under another master key
 */
export type DeployToken =
  | { readonly token: string }
  | { readonly without: 'no-webhook' | 'no-origin' | 'other-origin' | 'unreadable' };

/** Reads the token for cloning a deploy's repository. */
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
