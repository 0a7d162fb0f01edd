import { resealRows } from '#server/domain/master-key/reseal-rows.ts';
import type { Metadata } from '#server/domain/ports/metadata.ts';
import type { Secrets } from '#server/domain/ports/secrets.ts';
import { renewedStatusToken } from './commit-status.ts';
import { renewedHook } from './deploy-hook.ts';
import { renewedWebhook } from './webhook.ts';

interface Deps {
  readonly metadata: Metadata<'commitStatuses' | 'deployHooks' | 'gitWebhooks'>;
  readonly secrets: Secrets;
  readonly signal?: AbortSignal;
}

/**
 * Stores the secrets with which deploys are requested and reported under the current master key: webhooks of git with
 * their tokens, deploy hooks, and tokens for statuses. Returns how many rows it changed.
 */
export async function resealDeploys(deps: Deps): Promise<number> {
  const { metadata, secrets } = deps;
  const { gitWebhooks, deployHooks, commitStatuses } = metadata.read;
  const webhooks = await resealRows(deps, {
    page: (after, limit) => gitWebhooks.listAfter(after, limit),
    idOf: ({ appId }) => appId,
    change: (webhook) => {
      const renewed = renewedWebhook(secrets, webhook);
      return renewed && ((tx) => tx.gitWebhooks.renew(webhook, renewed));
    },
  });
  const hooks = await resealRows(deps, {
    page: (after, limit) => deployHooks.listAfter(after, limit),
    idOf: ({ appId }) => appId,
    change: (hook) => {
      const renewed = renewedHook(secrets, hook);
      return renewed && ((tx) => tx.deployHooks.renew(hook, renewed));
    },
  });
  const statuses = await resealRows(deps, {
    page: (after, limit) => commitStatuses.listAfter(after, limit),
    idOf: ({ appId }) => appId,
    change: (token) => {
      const renewed = renewedStatusToken(secrets, token);
      return renewed === undefined ? undefined : (tx) => tx.commitStatuses.renewToken(token, renewed);
    },
  });
  return webhooks + hooks + statuses;
}
