import { policies } from '#generated/policies.ts';
import type { DeploysHandlers } from '#generated/router.ts';
import { filterBranches, filtersPaths } from '../deploy-filters.ts';
import { findWebhook } from '../find-webhook.ts';
import { noteFiltered } from '../note-filtered.ts';
import { queuePush } from '../queue-push.ts';
import { removeWebhook } from '../remove-webhook.ts';
import { setWebhook } from '../set-webhook.ts';
import { maxCoalescedPushes } from '../limits.ts';
import { Refusal } from '#server/domain/refusal.ts';
import type { Call } from '#server/handlers/call.ts';
import { commitStatusesHandlers, type CommitStatusPorts } from './commit-statuses.ts';
import { deployFiltersHandlers } from './deploy-filters.ts';
import { deployHooksHandlers } from './deploy-hooks.ts';
import { deploymentsHandlers, type DeploymentPorts } from './deployments.ts';
import { allFiltered, ignored, queued, refusedChange } from './git/push-replies.ts';
import { readDelivery } from './git/read-delivery.ts';
import { done, success } from '#server/handlers/wire.ts';

interface Deps extends DeploymentPorts, CommitStatusPorts {
  /** Address of the general API, without a trailing slash. */
  readonly apiHost: string;
  /** Whether pushes that follow each other within the window are queued, and not rejected. */
  readonly coalesces: boolean;
}

/** The access token that removes the webhook. */
const removing = '@';

const pushWindowMs = policies.receiveGitPush.rateLimits.find(({ per }) => per === 'webhook')!.windowSeconds * 1000;

/** Returns the handlers of webhooks and deploys. */
export function deploysHandlers({ apiHost, coalesces, ...deps }: Deps) {
  const webhookUrl = (code: string) => `${apiHost}/v2/git/webhook/${code}`;
  return {
    async setGitWebhook({ path, body }, { caller }) {
      const app = { accountId: caller.account.id, appId: path.app_id };
      if (body.access_token === removing) {
        await removeWebhook(deps, app);
        return done;
      }
      const code = await setWebhook(deps, { ...app, accessToken: body.access_token, secret: body.secret });
      return success({ webhook: webhookUrl(code) });
    },

    ...deploymentsHandlers(deps, webhookUrl),

    ...commitStatusesHandlers(deps),
    ...deployFiltersHandlers(deps),
    ...deployHooksHandlers({ ...deps, apiHost, coalesces }),

    receiveGitPush: async ({ path }, call) => receivePush({ ...deps, coalesces }, path.webhook, call),
  } satisfies Partial<DeploysHandlers<Call>>;
}

async function receivePush({ coalesces, ...deps }: Omit<Deps, 'apiHost'>, webhookCode: string, call: Call) {
  const { announceLimit } = call;
  const webhook = await findWebhook(deps, webhookCode);
  const wanted = { secret: webhook.secret, readsFiles: filtersPaths(webhook.filters) };
  const { push, ...delivery } = await readDelivery(call, wanted, deps.clock.now());
  if (!push) return ignored;
  const changes = push.changes.filter((change) => change.kind === 'branch');
  if (changes.length === 0) return refusedChange(push.changes[0]!);
  const { taken, filtered } = await filterBranches(webhook.filters, changes);
  const note = () => noteFiltered(deps, { appId: webhook.appId, filtered, windowMs: pushWindowMs });
  if (taken.length === 0) {
    await note();
    return allFiltered(filtered);
  }
  const limit = coalesces ? maxCoalescedPushes : 1;
  const command = { webhook, push, branches: taken, delivery, windowMs: pushWindowMs, coalesces };
  const { deploys, isNew, left } = await queuePush(deps, command).catch((error: unknown) => {
    if (error instanceof Refusal && error.code === 'KEEP_CALM')
      announceLimit({ remaining: 0, resetMs: error.retryAfterSeconds! * 1000, limit });
    throw error;
  });
  if (isNew) announceLimit({ ...left, limit });
  if (isNew && filtered.length > 0) await note();
  return queued(deploys, filtered);
}
