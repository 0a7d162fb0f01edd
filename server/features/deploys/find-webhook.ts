import type { Reads } from '#server/domain/ports/metadata.ts';
import type { Secrets } from '#server/domain/ports/secrets.ts';
import { Refusal } from '#server/domain/refusal.ts';
import { findByCredential } from '#server/domain/find-by-credential.ts';
import { noFilters, type DeployFilters } from './deploy-filters.ts';
import { queueUnavailable } from './queue-unavailable.ts';
import { sealedFor, webhookCredential, type GitWebhook } from './webhook.ts';

interface Deps {
  readonly metadata: Reads<'accounts' | 'apps' | 'deploys' | 'gitWebhooks'>;
  readonly secrets: Pick<Secrets, 'finders' | 'unseal'>;
}

/** A webhook, found by its address. */
export interface FoundWebhook extends Pick<GitWebhook, 'appId'> {
  /** The hashes that its code may have. The stored one changes when the master key is rotated. */
  readonly codeHashes: readonly Uint8Array[];
  /** The secret that its deliveries are signed with; undefined when they are not checked. */
  readonly secret: string | undefined;
  /** Which of its pushes are deployed. */
  readonly filters: DeployFilters;
}

/**
 * Finds a webhook by the last part of its address.
 *
 * @throws WEBHOOK_NOT_FOUND also when an operator has stopped the account
 * @throws DEPLOY_QUEUE_UNAVAILABLE
 */
export async function findWebhook({ metadata, secrets }: Deps, code: string): Promise<FoundWebhook> {
  const found = await findByCredential(secrets, webhookCredential(code), (hash) =>
    metadata.read.gitWebhooks.findByCode(hash),
  ).catch(queueUnavailable);
  const app = found && (await metadata.read.apps.find(found.appId).catch(queueUnavailable));
  if (!app || (await metadata.read.accounts.isClosed(app.accountId).catch(queueUnavailable)))
    throw new Refusal('WEBHOOK_NOT_FOUND');
  const { appId, sealedSecret } = found;
  const codeHashes = secrets.finders().map((key) => key.credentialHash(webhookCredential(code)));
  const filters = (await metadata.read.deploys.filtersOf(appId).catch(queueUnavailable)) ?? noFilters;
  if (sealedSecret === null) return { appId, codeHashes, filters, secret: undefined };
  const secret = secrets.unseal(sealedFor.secret, sealedSecret, appId);
  // Its code was found, so the master key is the right one.
  if (secret === undefined) throw new Error(`The secret of the webhook of ${appId} cannot be read.`);
  return { appId, codeHashes, filters, secret };
}
