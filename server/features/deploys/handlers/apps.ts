import { policies } from '#generated/policies.ts';
import { parsing } from '#server/http/operation.ts';
import type { AppsHandlers } from '#generated/router.ts';
import type { GetNetworkErrorsData, EdgeErrors, EdgeErrorsByStatus } from '#generated/types.ts';
import { filterBranches, filtersPaths } from '../deploy-filters.ts';
import { findWebhook } from '../find-webhook.ts';
import { noteFiltered } from '../note-filtered.ts';
import { queuePush } from '../queue-push.ts';
import { removeWebhook } from '../remove-webhook.ts';
import { setWebhook } from '../set-webhook.ts';
import type { BreakdownCache, ErrorBreakdown, StatusCounts } from '#server/features/edge-errors/error-breakdown.ts';
import { networkErrors } from '#server/features/edge-errors/network-errors.ts';
import { maxCoalescedPushes } from '#server/domain/limits.ts';
import { Refusal } from '#server/domain/refusal.ts';
import { shownValue } from '#server/domain/error-value.ts';
import { appView } from '#server/features/apps/handlers/app-view.ts';
import type { Call } from '#server/handlers/call.ts';
import { commitStatusesHandlers, type CommitStatusPorts } from './commit-statuses.ts';
import { deployFiltersHandlers } from './deploy-filters.ts';
import { deployHooksHandlers } from './deploy-hooks.ts';
import { deploymentsHandlers, type DeploymentPorts } from './deployments.ts';
import { allFiltered, ignored, queued, refusedChange } from './git/push-replies.ts';
import { readDelivery } from './git/read-delivery.ts';
import { instantIn } from '#server/handlers/query-instant.ts';
import { done, success, timestamp } from '#server/handlers/wire.ts';

interface Deps extends DeploymentPorts, CommitStatusPorts {
  readonly breakdowns: BreakdownCache;
  /** Address of the general API, without a trailing slash. */
  readonly apiHost: string;
  /** Whether pushes that follow each other within the window are queued, and not rejected. */
  readonly coalesces: boolean;
}

/** The access token that removes the webhook. */
const removing = '@';

const pushWindowMs = policies.receiveGitPush.rateLimits.find(({ per }) => per === 'webhook')!.windowSeconds * 1000;

/** Returns the handlers of applications: their webhooks and deploys, and their errors at the edge. */
export function appsHandlers({ breakdowns, apiHost, coalesces, ...deps }: Deps): AppsHandlers<Call> {
  const webhookUrl = (code: string) => `${apiHost}/v2/git/webhook/${code}`;
  return {
    async listApps(_input, { caller }) {
      const { account, key } = caller;
      const apps = await deps.metadata.read.apps.listOf(account.id);
      return success({ apps: apps.filter(({ id }) => key.resources?.includes(id) ?? true).map(appView) });
    },

    getNetworkErrors: parsing(
      ({ path, query }) => ({
        appId: path.app_id,
        window: windowOf(query),
        includeClientErrors: query.include_4xx ?? false,
      }),
      async (requested, { caller, countMiss }) => {
        const command = { ...requested, accountId: caller.account.id, onCacheMiss: countMiss };
        return success(edgeErrorsOf(await networkErrors({ ...deps, cache: breakdowns }, command)));
      },
    ),

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
  };
}

async function receivePush(
  { coalesces, ...deps }: Omit<Deps, 'breakdowns' | 'apiHost'>,
  webhookCode: string,
  call: Call,
) {
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

/** @throws INVALID_TIME_RANGE for a date that does not exist, and if the end is not after the start */
function windowOf(query: Pick<GetNetworkErrorsData['query'], 'start' | 'end'>): { start: number; end: number } {
  const [start, end] = [query.start, query.end].map(instantIn);
  if (start === undefined || end === undefined || end <= start)
    throw new Refusal('INVALID_TIME_RANGE', { detail: `Got ${shownValue(query.start)} to ${shownValue(query.end)}.` });
  return { start, end };
}

/** Returns the errors of an application, counted by status, time, path and method. */
function edgeErrorsOf({
  total,
  clientErrors,
  serverErrors,
  byStatus,
  timeseries,
  topPaths,
  byMethod,
}: ErrorBreakdown): EdgeErrors {
  return {
    summary: { total, by_class: { '4xx': clientErrors, '5xx': serverErrors } },
    by_status: wireCounts(byStatus),
    timeseries: timeseries.map((bucket) => ({
      date: timestamp(bucket.startsAt),
      buckets: Object.fromEntries(bucket.byStatus.map(({ status, count }) => [String(status), count])),
      total: bucket.total,
    })),
    top_paths: topPaths.map(withWireCounts),
    by_method: byMethod.map(withWireCounts),
  };
}

function withWireCounts<Row extends { readonly byStatus: StatusCounts }>({ byStatus, ...row }: Row) {
  return { ...row, by_status: wireCounts(byStatus) };
}

function wireCounts(counts: StatusCounts): EdgeErrorsByStatus {
  return counts.map(({ status, count }) => ({ status, requests: count }));
}
