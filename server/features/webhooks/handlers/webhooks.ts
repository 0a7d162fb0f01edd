import { parsing } from '#server/http/operation.ts';
import type { WebhooksHandlers } from '#generated/router.ts';
import type { EventWebhook, NewEventWebhook, WebhookDelivery, WebhookReplay } from '#generated/types.ts';
import { grantsAny } from '#server/domain/access/scope.ts';
import { parseInstant } from '#server/domain/parse-instant.ts';
import { eventId } from '#server/domain/events/event.ts';
import { readPrefix } from '#server/domain/file-options.ts';
import type { Prefix } from '#server/domain/prefixes.ts';
import { Refusal } from '#server/domain/refusal.ts';
import { changeWebhook, removeWebhook } from '../change-webhook.ts';
import { createWebhook, type WithSecret } from '../create-webhook.ts';
import type { Delivery } from '../delivery.ts';
import { findWebhook } from '../find-webhook.ts';
import { listDeliveries } from '../list-deliveries.ts';
import { isTypeFilter } from '../matches.ts';
import { replayEvent, replayRange } from '../replay-events.ts';
import { rotateSecrets } from '../rotate-secrets.ts';
import { testWebhook } from '../test-webhook.ts';
import { openUrl } from '../webhook-url.ts';
import type { Webhook } from '../webhook.ts';
import { mayWrite, type Call } from '#server/handlers/call.ts';
import type { CorePorts } from '#server/handlers/ports.ts';
import { continuation, cursorOf, distinct, done, success, timestamp, timestampOrNull } from '#server/handlers/wire.ts';

export interface WebhookPorts extends CorePorts {
  /** Whether events may be sent to a URL. */
  readonly isAllowedUrl: (url: string) => boolean;
  /** Called when there may be something to deliver. */
  readonly onDeliveries: () => void;
}

const standardLimit = 100;

/** Stands for an address that cannot be read under the master key. Its deliveries say so. */
const unreadableUrl = 'https://unreadable.invalid/';

/** Pending deliveries are counted only this far. */
const maxCounted = 10_000;

/** Returns the handlers of webhooks. */
export function webhooksHandlers(deps: WebhookPorts) {
  const { read } = deps.metadata;
  const viewOf = async (webhook: Webhook, { caller }: Pick<Call, 'caller'>): Promise<EventWebhook> => {
    const url = openUrl(deps.secrets, webhook) ?? unreadableUrl;
    const pending = await read.webhooks.countPending(webhook.id, maxCounted);
    return webhookOf(webhook, mayWrite(caller) ? url : withoutSecrets(url), pending);
  };
  const withSecret = async ({ webhook, secret }: WithSecret, call: Call) => ({
    ...(await viewOf(webhook, call)),
    secret,
  });
  return {
    ...deliveriesHandlers(deps),

    createWebhook: parsing(
      ({ body }) => ({ ...choiceOf(deps, body), url: body.url, format: body.format ?? ('standard' as const) }),
      async ({ types = null, prefixes = null, description = '', ...rest }, call) => {
        const { account, key } = call.caller;
        const seesAccount = grantsAny(key.scopes, ['account:read']);
        const command = { ...rest, types, prefixes, description, seesAccount, accountId: account.id, keyId: key.id };
        return { ...success(await withSecret(await createWebhook(deps, command), call)), status: 201 };
      },
    ),

    async listWebhooks(_input, call) {
      const webhooks = await read.webhooks.listOf(call.caller.account.id);
      return success({ webhooks: await Promise.all(webhooks.map((webhook) => viewOf(webhook, call))) });
    },

    async getWebhook({ path }, call) {
      return success(await viewOf(await findWebhook(read.webhooks, named(path, call)), call));
    },

    updateWebhook: parsing(
      ({ body, path }, call) => ({ which: named(path, call), changes: { ...choiceOf(deps, body), url: body.url } }),
      async ({ which, changes: { isEnabled, ...choice } }, call) => {
        const changes = { ...choice, isEnabled };
        const changed = await changeWebhook(deps, which, changes);
        deps.onDeliveries();
        return success(await viewOf(changed, call));
      },
    ),

    async deleteWebhook({ path }, call) {
      await removeWebhook(deps, named(path, call));
      return done;
    },

    async regenerateWebhookSecret({ path }, call) {
      return success(await withSecret(await rotateSecrets(deps, named(path, call)), call));
    },
  } satisfies Partial<WebhooksHandlers<Call>>;
}

function deliveriesHandlers(deps: WebhookPorts) {
  return {
    async runWebhookTest({ path }, call) {
      return success({ event: await testWebhook(deps, named(path, call)) });
    },

    listWebhookDeliveries: parsing(
      ({ path, query }, call) => ({
        ...named(path, call),
        state: query.state,
        limit: query.limit ?? standardLimit,
        cursor: cursorOf(query),
      }),
      async (command) => {
        const { rows: deliveries, next } = await listDeliveries(deps, command);
        const shown = deliveries.map((delivery) => deliveryView(delivery, command.accountId));
        return success({ deliveries: shown, ...continuation(next) });
      },
    ),

    startWebhookReplay: parsing(
      ({ body, path }, call) => ({ which: named(path, call), requested: replayOf(body) }),
      async ({ which, requested }) => {
        if ('event' in requested) await replayEvent(deps, which, requested.event);
        else await replayRange(deps, which, requested);
        deps.onDeliveries();
        return done;
      },
    ),
  } satisfies Partial<WebhooksHandlers<Call>>;
}

/** Returns an address without the parts that may hold a secret of the receiver. */
function withoutSecrets(url: string): string {
  return `${new URL(url).origin}/…`;
}

function named({ id }: { readonly id: string }, { caller }: Pick<Call, 'caller'>) {
  return { accountId: caller.account.id, webhookId: id };
}

type Choice = Partial<Omit<NewEventWebhook, 'types' | 'prefixes'>> & {
  readonly types?: readonly string[] | null;
  readonly prefixes?: readonly string[] | null;
  readonly enabled?: boolean;
};

/** @throws INVALID_WEBHOOK_URL, INVALID_WEBHOOK_TYPES, INVALID_PREFIXES */
function choiceOf({ isAllowedUrl }: WebhookPorts, { url, types, prefixes, description, enabled }: Choice) {
  if (url !== undefined && !isAllowedUrl(url)) throw new Refusal('INVALID_WEBHOOK_URL');
  const unknown = types?.find((type) => !isTypeFilter(type));
  if (unknown !== undefined)
    throw new Refusal('INVALID_WEBHOOK_TYPES', { detail: `No type of events is "${unknown}".` });
  return {
    types: types && distinct(types),
    prefixes: prefixes && distinct(prefixes.map(prefixOf)),
    description,
    isEnabled: enabled,
  };
}

function prefixOf(text: string): Prefix {
  try {
    return readPrefix(text)!;
  } catch (error) {
    if (error instanceof Refusal) throw new Refusal('INVALID_PREFIXES');
    throw error;
  }
}

/**
 * @throws INVALID_BODY unless there is an event or a range
 * @throws INVALID_TIME_RANGE
 */
function replayOf({ event, from, to }: WebhookReplay) {
  if ((event === undefined) === (from === undefined) || (event !== undefined && to !== undefined))
    throw new Refusal('INVALID_BODY', { message: 'Send either `event`, or `from` with or without `to`.' });
  if (event !== undefined) return { event };
  const range = { from: parseInstant(from!), to: to === undefined ? undefined : parseInstant(to) };
  const { from: begin, to: end } = range;
  if (begin === undefined || (to !== undefined && end === undefined) || (end !== undefined && end < begin))
    throw new Refusal('INVALID_TIME_RANGE');
  return { from: begin, to: end };
}

function webhookOf(webhook: Webhook, url: string, pending: number): EventWebhook {
  const { health } = webhook;
  return {
    id: webhook.id,
    url,
    types: webhook.types && [...webhook.types],
    prefixes: webhook.prefixes && [...webhook.prefixes],
    format: webhook.format,
    description: webhook.description,
    enabled: webhook.disabledReason === null,
    disabled_reason: webhook.disabledReason,
    public_key: webhook.publicKey,
    former_secret_until: timestampOrNull(webhook.formerUntil),
    pending,
    consecutive_failures: health.failures,
    last_success_at: timestampOrNull(health.lastSuccessAt),
    last_error: health.lastError,
    created_at: timestamp(webhook.createdAt),
  };
}

function deliveryView(delivery: Delivery, accountId: string): WebhookDelivery {
  const { sequence, eventAt: at, last, dueAt } = delivery;
  return {
    event: eventId({ accountId, sequence, at }),
    type: delivery.type,
    timestamp: timestamp(at),
    state: delivery.state,
    attempts: delivery.tries,
    status: last?.status ?? null,
    error: last?.error ?? null,
    duration_ms: last?.durationMs ?? null,
    attempted_at: timestampOrNull(last?.triedAt ?? null),
    next_attempt_at: timestampOrNull(dueAt),
  };
}
