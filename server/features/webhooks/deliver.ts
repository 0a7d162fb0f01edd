import { eventId, type StoredEvent } from '#server/domain/events/event.ts';
import type { Clock } from '#server/domain/ports/clock.ts';
import type { Metadata, Transaction } from '#server/domain/ports/metadata.ts';
import type { Secrets } from '#server/domain/ports/secrets.ts';
import { failingMs, nextTryAt, pauseMs, type Attempt, type Delivery } from './delivery.ts';
import type { WebhookSender, WebhookResponse } from './sender.ts';
import { signatureOf } from './webhook-secrets.ts';
import { openUrl } from './webhook-url.ts';
import type { Webhook, WebhookFormat } from './webhook.ts';

interface Deps {
  readonly metadata: Metadata<'events' | 'webhooks'>;
  readonly secrets: Pick<Secrets, 'unseal'>;
  readonly clock: Clock;
  readonly sender: WebhookSender;
  /** Returns the body for an event in the form of a webhook. */
  readonly bodyOf: (format: WebhookFormat, event: StoredEvent) => string;
  /** From 0 to 1. */
  readonly random: () => number;
}

/** A confirmed delivery is noted for the owner at most this often. */
const successNotedMs = 10_000;

/** Makes one attempt at a delivery that was taken, and stores how it went. */
export async function deliver(deps: Deps, webhook: Webhook, delivery: Delivery, signal: AbortSignal): Promise<void> {
  const event = await deps.metadata.read.events.find(webhook.accountId, delivery.sequence);
  if (!event) return settle(deps, webhook, (tx) => tx.webhooks.end(delivery, null, 'failed', tx.now));
  const triedAt = deps.clock.now();
  const message = {
    id: eventId(event),
    timestamp: Math.floor(triedAt / 1000),
    body: deps.bodyOf(webhook.format, event),
  };
  const signature = signatureOf(deps.secrets, webhook, message, triedAt);
  const url = openUrl(deps.secrets, webhook);
  const began = performance.now();
  const response: WebhookResponse =
    signature === undefined
      ? unreadable('The secret cannot be read under the master key. Rotate it.')
      : url === undefined
        ? unreadable('The address cannot be read under the master key. Set it again.')
        : await deps.sender.send({ url, ...message, signature, signal });
  // A server that stops says nothing about the endpoint. Another one takes the delivery later.
  if (signal.aborted) return;
  const { status, error, retryAfterMs } = response;
  const attempt = { triedAt, durationMs: Math.round(performance.now() - began), status, error };
  await settle(deps, webhook, (tx) =>
    error === null
      ? noteSuccess(tx, delivery, attempt)
      : noteFailure(tx, delivery, attempt, { retryAfterMs, random: deps.random() }),
  );
}

function unreadable(error: string): WebhookResponse {
  return { status: null, error, retryAfterMs: 0 };
}

type Tx = Transaction<'webhooks'>;

/** A result that is lost in a power cut leads to another attempt with the same id. */
async function settle({ metadata }: Deps, { accountId }: Webhook, work: (tx: Tx) => Promise<void>): Promise<void> {
  await metadata.atomically(work, { account: accountId, isDurable: false });
}

async function noteSuccess(tx: Tx, delivery: Delivery, attempt: Attempt): Promise<void> {
  await tx.webhooks.end(delivery, attempt, 'delivered', tx.now);
  const health = (await tx.webhooks.find(delivery.webhookId))?.health;
  if (!health || (health.failures === 0 && tx.now - (health.lastSuccessAt ?? -Infinity) < successNotedMs)) return;
  await tx.webhooks.setHealth(delivery.webhookId, {
    failures: 0,
    failingSince: null,
    pausedUntil: 0,
    lastSuccessAt: tx.now,
    lastError: null,
  });
}

async function noteFailure(
  tx: Tx,
  delivery: Delivery,
  attempt: Attempt,
  { retryAfterMs, random }: { readonly retryAfterMs: number; readonly random: number },
): Promise<void> {
  const { webhookId } = delivery;
  const dueAt = nextTryAt(tx.now, delivery.tries + 1, retryAfterMs, random);
  if (dueAt === undefined) await tx.webhooks.end(delivery, attempt, 'failed', tx.now);
  else await tx.webhooks.putBack(delivery, attempt, dueAt);
  const webhook = await tx.webhooks.find(webhookId);
  if (!webhook) return;
  const failures = webhook.health.failures + 1;
  const failingSince = webhook.health.failingSince ?? tx.now;
  const pausedUntil = tx.now + pauseMs(failures);
  await tx.webhooks.setHealth(webhookId, {
    ...webhook.health,
    failures,
    failingSince,
    pausedUntil,
    lastError: attempt.error,
  });
  // "410 Gone: the endpoint does not want to receive webhooks any more."
  if (attempt.status === 410) await tx.webhooks.disable(webhookId, 'gone');
  else if (tx.now - failingSince >= failingMs) await tx.webhooks.disable(webhookId, 'failing');
}
