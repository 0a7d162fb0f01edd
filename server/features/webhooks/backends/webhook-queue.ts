import type { EventSignals } from '#server/domain/events/event-signals.ts';
import type { Clock } from '#server/domain/ports/clock.ts';
import type { Metadata } from '#server/domain/ports/metadata.ts';
import type { Secrets } from '#server/domain/ports/secrets.ts';
import { deliver } from '../deliver.ts';
import { attemptMs, failuresUntilPause, type Delivery } from '../delivery.ts';
import type { WebhookSender } from '../sender.ts';
import type { Webhook } from '../webhook.ts';
import { writeDeliveries } from '../write-deliveries.ts';
import { outbox, type Outbox } from '#server/jobs/outbox.ts';

interface WebhookQueueOptions {
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

/** Webhooks that are read in one step. */
const stepWebhooks = 100;

interface Attempt {
  readonly webhook: Webhook;
  readonly delivery: Delivery;
}

/** Delivers events to webhooks. Its stop ends the attempts under way after a while. */
export function webhookQueue(options: WebhookQueueOptions): Outbox {
  const { metadata, clock, signals, onFault, random = Math.random, delayMs = 30 } = options;
  const { pollMs = 1000, stopTimeoutMs = 3000 } = options;
  const deps = { ...options, random };
  /** Attempts under way. One is taken once more meanwhile if the clock has jumped. */
  const underWay = new Set<string>();

  async function writeMissing(isStopping: () => boolean): Promise<boolean> {
    let isMore = false;
    for (let behind = ''; !isStopping();) {
      const found = await metadata.read.webhooks.behind(behind, stepWebhooks);
      // One step for each, so that an endpoint with a long history does not delay the others.
      for (const webhook of found) if (await writeDeliveries(deps, webhook)) isMore = true;
      if (found.length < stepWebhooks) break;
      behind = found.at(-1)!.id;
    }
    return isMore;
  }

  const queue = outbox<Attempt>({
    ...{ mostAtOnce, delayMs, pollMs, stopTimeoutMs, onFault },
    add: writeMissing,
    async due(behind) {
      const webhook = await metadata.read.webhooks.nextDue(behind, clock.now());
      if (!webhook) return [];
      const most = webhook.health.failures >= failuresUntilPause ? 1 : perWebhook;
      const take = async (limit: number) => {
        const taken = await metadata.atomically(
          (tx) => tx.webhooks.takeDue(webhook.id, tx.now, tx.now + attemptMs, limit),
          { account: webhook.accountId, isDurable: false },
        );
        return taken.map((delivery) => ({ webhook, delivery }));
      };
      return [{ key: webhook.id, most, take }];
    },
    async attempt({ webhook, delivery }, signal) {
      const name = `${webhook.id} ${delivery.sequence}`;
      if (underWay.has(name)) return;
      underWay.add(name);
      await deliver(deps, webhook, delivery, signal).finally(() => underWay.delete(name));
    },
  });
  let stopListening = () => {};
  return {
    nudge: queue.nudge,
    begin() {
      stopListening = signals.listen(queue.nudge);
      queue.begin();
    },
    stop() {
      stopListening();
      return queue.stop();
    },
  };
}
