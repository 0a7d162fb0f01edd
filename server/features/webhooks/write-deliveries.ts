import type { Metadata, Transaction } from '#server/domain/ports/metadata.ts';
import { deliveryOf, matches } from './matches.ts';
import type { Webhook } from './webhook.ts';

interface Deps {
  readonly metadata: Metadata<'events' | 'webhooks'>;
}

/** Events that one transaction looks at. They are few enough that requests in between do not notice. */
const stepEvents = 100;

/**
 * Writes deliveries of the next events of a webhook, and of the next ones of its replay. Returns whether there is more
 * to write. It may run twice at once: the account's lock lets one run after the other.
 */
export function writeDeliveries({ metadata }: Deps, { id, accountId }: Webhook): Promise<boolean> {
  return metadata.atomically(
    async (tx) => {
      const webhook = await tx.webhooks.find(id);
      if (!webhook || webhook.disabledReason !== null) return false;
      const isMoreReplayed = await writeReplay(tx, webhook);
      const step = await tx.events.scan({ accountId, after: webhook.writtenSequence, limit: stepEvents });
      if (step.length === 0) return isMoreReplayed;
      for (const event of step) if (matches(webhook, event)) await tx.webhooks.write(deliveryOf(id, event), tx.now);
      await tx.webhooks.setWritten(id, step.at(-1)!.sequence);
      return isMoreReplayed || step.length === stepEvents;
    },
    // A delivery that is lost in a power cut is written again.
    { account: accountId, isDurable: false },
  );
}

async function writeReplay(tx: Transaction<'events' | 'webhooks'>, webhook: Webhook): Promise<boolean> {
  const { id, accountId, replayedSequence, replayUntil } = webhook;
  if (replayedSequence === null || replayUntil === null) return false;
  const step = await tx.events.scan({ accountId, after: replayedSequence, limit: stepEvents });
  const within = step.filter(({ sequence }) => sequence <= replayUntil);
  for (const event of within) if (matches(webhook, event)) await tx.webhooks.write(deliveryOf(id, event), tx.now);
  const isOver = within.length < stepEvents;
  await tx.webhooks.setReplay(id, isOver ? null : within.at(-1)!.sequence, isOver ? null : replayUntil);
  return !isOver;
}
