import type { EventSignals } from '#server/domain/events/event-signals.ts';
import type { Clock } from '#server/domain/ports/clock.ts';
import type { Metadata } from '#server/domain/ports/metadata.ts';
import type { Secrets } from '#server/domain/ports/secrets.ts';
import { deliver } from '#server/domain/webhooks/deliver.ts';
import { failuresUntilPause, type Delivery } from '#server/domain/webhooks/delivery.ts';
import type { WebhookSender } from '#server/domain/webhooks/sender.ts';
import type { Webhook } from '#server/domain/webhooks/webhook.ts';
import { writeDeliveries } from '#server/domain/webhooks/write-deliveries.ts';

/** Delivers events to webhooks. Any number of processes may do so at once. */
export interface WebhookQueue {
  /** Looks soon for what is due. */
  nudge(): void;
  /** Ends the attempts under way after a while. What is not delivered, another process or the next start delivers. */
  stop(): Promise<void>;
}

export interface WebhookQueueOptions {
  readonly metadata: Metadata<'events' | 'webhooks'>;
  readonly secrets: Pick<Secrets, 'unseal'>;
  readonly clock: Clock;
  readonly signals: EventSignals;
  readonly sender: WebhookSender;
  readonly bodyOf: Parameters<typeof deliver>[0]['bodyOf'];
  onFault(error: unknown): void;
  readonly random?: () => number;
  /** Events within this time are looked at together. */
  readonly delayMs?: number;
  /** How often it looks for what is due, also from other processes. */
  readonly pollMs?: number;
  readonly stopTimeoutMs?: number;
}

/** Parallel attempts to one endpoint, and to all of them. */
const perWebhook = 5;
const mostAtOnce = 40;

/** An attempt has this long. Then another process takes the delivery: this one was killed. */
const attemptMs = 30_000;

/** Webhooks that are read in one step. */
const stepWebhooks = 100;

export function webhookQueue(options: WebhookQueueOptions): WebhookQueue {
  const { metadata, clock, signals, onFault, random = Math.random, delayMs = 30 } = options;
  const { pollMs = 1000, stopTimeoutMs = 3000 } = options;
  const stopping = new AbortController();
  const deps = { ...options, random };
  /** Attempts under way, by webhook. */
  const running = new Map<string, number>();
  const attempts = new Map<string, Promise<void>>();
  let timer: NodeJS.Timeout | undefined;
  let filling: Promise<void> | undefined;
  let isStopped = false;
  let isWanted = false;
  /** The webhook that was served last. The next search begins behind it, so that no backlog holds up other webhooks. */
  let servedLast = '';

  /** Writes what is missing and begins what is due. One run at a time; nudges meanwhile lead to another one. */
  function fill(): void {
    if (isStopped) return;
    isWanted = true;
    filling ??= run()
      .catch(onFault)
      .finally(() => (filling = undefined));
  }

  async function run(): Promise<void> {
    while (isWanted && !isStopped) {
      isWanted = false;
      await write();
      await begin();
    }
  }

  async function write(): Promise<void> {
    for (let behind = ''; !isStopped;) {
      const found = await metadata.read.webhooks.behind(behind, stepWebhooks);
      // One step for each, so that an endpoint with a long history does not delay the others.
      for (const webhook of found) if (await writeDeliveries(deps, webhook)) isWanted = true;
      if (found.length < stepWebhooks) return;
      behind = found.at(-1)!.id;
    }
  }

  async function begin(): Promise<void> {
    const first = servedLast;
    await beginBehind(first, () => true);
    // Around, up to where it began.
    if (first !== '') await beginBehind('', (id) => id <= first);
  }

  async function beginBehind(behind: string, isWithin: (webhookId: string) => boolean): Promise<void> {
    while (attempts.size < mostAtOnce && !isStopped) {
      const webhook = await metadata.read.webhooks.nextDue(behind, clock.now());
      if (!webhook || !isWithin(webhook.id)) return;
      behind = webhook.id;
      const most = webhook.health.failures >= failuresUntilPause ? 1 : perWebhook;
      const free = Math.min(most - (running.get(webhook.id) ?? 0), mostAtOnce - attempts.size);
      if (free <= 0) continue;
      const taken = await metadata.atomically(
        (tx) => tx.webhooks.takeDue(webhook.id, tx.now, tx.now + attemptMs, free),
        { account: webhook.accountId, isDurable: false },
      );
      servedLast = webhook.id;
      for (const delivery of taken) start(webhook, delivery);
    }
  }

  function start(webhook: Webhook, delivery: Delivery): void {
    const name = `${webhook.id} ${delivery.sequence}`;
    // Taken once more while its attempt is under way, because the clock has jumped.
    if (attempts.has(name)) return;
    running.set(webhook.id, (running.get(webhook.id) ?? 0) + 1);
    const attempt: Promise<void> = deliver(deps, webhook, delivery, stopping.signal)
      .catch(onFault)
      .finally(() => {
        attempts.delete(name);
        const left = running.get(webhook.id)! - 1;
        if (left === 0) running.delete(webhook.id);
        else running.set(webhook.id, left);
        fill();
      });
    attempts.set(name, attempt);
  }

  function nudge(): void {
    timer ??= setTimeout(() => {
      timer = undefined;
      fill();
    }, delayMs).unref();
  }

  const stopListening = signals.listen(nudge);
  const poll = setInterval(fill, pollMs).unref();
  return {
    nudge,
    async stop() {
      isStopped = true;
      stopListening();
      clearTimeout(timer);
      clearInterval(poll);
      await filling;
      const abort = setTimeout(() => stopping.abort(), stopTimeoutMs);
      await Promise.all(attempts.values());
      clearTimeout(abort);
    },
  };
}
