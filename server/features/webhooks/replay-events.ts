import { findEvent } from '#server/domain/events/find-event.ts';
import type { Metadata } from '#server/domain/ports/metadata.ts';
import { Refusal } from '#server/domain/refusal.ts';
import { findWebhook, type WebhookOf } from './find-webhook.ts';
import { deliveryOf } from './matches.ts';

interface Deps {
  readonly metadata: Metadata<'events' | 'webhooks'>;
}

/**
 * Delivers one event again, whatever the filters of the webhook are.
 *
 * @throws WEBHOOK_NOT_FOUND, EVENT_NOT_FOUND
 */
export async function replayEvent({ metadata }: Deps, which: WebhookOf, eventId: string): Promise<void> {
  const { accountId } = which;
  await metadata.atomically(
    async (tx) => {
      const { id } = await findWebhook(tx.webhooks, which);
      const event = await findEvent(tx.events, { accountId, eventId });
      await tx.webhooks.write(deliveryOf(id, event), tx.now);
    },
    { account: accountId },
  );
}

/** A range of time, with both ends. Milliseconds since the epoch. */
interface Range {
  readonly from: number;
  /** Undefined: up to now. */
  readonly to: number | undefined;
}

/**
 * Delivers the events of a range again, as far as they match the filters. The deliveries are written in the background.
 *
 * @throws WEBHOOK_NOT_FOUND, WEBHOOK_REPLAY_RUNNING
 */
export async function replayRange({ metadata }: Deps, which: WebhookOf, { from, to }: Range): Promise<void> {
  const { accountId } = which;
  const { events } = metadata.read;
  await findWebhook(metadata.read.webhooks, which);
  const newest = await events.newest(accountId);
  const first = await firstFrom(metadata, accountId, newest, from);
  const until = to === undefined ? newest : (await firstFrom(metadata, accountId, newest, to + 1)) - 1;
  await metadata.atomically(
    async (tx) => {
      const { id, replayUntil } = await findWebhook(tx.webhooks, which);
      if (replayUntil !== null) throw new Refusal('WEBHOOK_REPLAY_RUNNING');
      if (first <= until) await tx.webhooks.setReplay(id, first - 1, until);
    },
    { account: accountId },
  );
}

/** Returns the sequence of the first event at or after an instant; one more than the newest if there is none. */
async function firstFrom(
  { read }: Pick<Deps['metadata'], 'read'>,
  accountId: string,
  newest: number,
  instant: number,
): Promise<number> {
  // Sequences have no gaps and grow with time, so few look-ups find it in a million.
  let [low, high] = [1, newest + 1];
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    const [event] = await read.events.scan({ accountId, after: middle - 1, limit: 1 });
    if (event && event.at < instant) low = Math.max(middle, event.sequence) + 1;
    else high = middle;
  }
  return low;
}
