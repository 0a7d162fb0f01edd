import type { Attempt, Delivery, DeliveryState, NewDelivery } from './delivery.ts';
import type { DisabledReason, SealedSecrets, Webhook, WebhookChoice, WebhookHealth } from './webhook.ts';

/** One step through the deliveries of a webhook, newest event first. */
interface DeliveryScan {
  readonly webhookId: string;
  readonly state: DeliveryState | undefined;
  readonly before: number;
  readonly limit: number;
}

interface WebhooksReader {
  find(webhookId: string): Promise<Webhook | undefined>;
  /** Oldest first. */
  listOf(accountId: string): Promise<Webhook[]>;
  /** Returns webhooks behind an id, in the order of their ids, for jobs over all of them. */
  listAfter(webhookId: string, limit: number): Promise<Webhook[]>;
  /** Returns enabled webhooks behind an id that lack deliveries of events, or are replaying. */
  behind(webhookId: string, limit: number): Promise<Webhook[]>;
  /** Returns the next webhook behind an id that has a delivery which is due. */
  nextDue(webhookId: string, now: number): Promise<Webhook | undefined>;
  scanDeliveries(scan: DeliveryScan): Promise<Delivery[]>;
  /** Counts pending deliveries, up to a limit. */
  countPending(webhookId: string, limit: number): Promise<number>;
}

export interface WebhooksTable extends WebhooksReader {
  /** Adds a webhook, unless its account has `most` of them. Returns whether it did. */
  add(webhook: Webhook, most: number): Promise<boolean>;
  change(webhookId: string, choice: WebhookChoice, disabledReason: DisabledReason | null): Promise<void>;
  setSecrets(
    webhookId: string,
    secrets: Pick<Webhook, 'sealed' | 'publicKey' | 'formerSealed' | 'formerUntil'>,
  ): Promise<void>;
  /** Stores the secrets under another master key, unless they have changed since. */
  reseal(former: Webhook, sealed: SealedSecrets, formerSealed: SealedSecrets | null): Promise<void>;
  /** Stores the address in another encrypted form, unless it has changed since. */
  renewUrl(former: Webhook, sealedUrl: string): Promise<void>;
  setHealth(webhookId: string, health: WebhookHealth): Promise<void>;
  disable(webhookId: string, reason: DisabledReason): Promise<void>;
  /** Notes how far deliveries are written. */
  setWritten(webhookId: string, sequence: number): Promise<void>;
  /** Notes how far a replay is written; null at its end. */
  setReplay(webhookId: string, replayed: number | null, until: number | null): Promise<void>;
  remove(webhookId: string): Promise<void>;
  /** Removes some deliveries of a webhook. Returns how many. */
  removeDeliveries(webhookId: string, limit: number): Promise<number>;

  /** Writes a delivery that is due now, or waits for an earlier one of its file. One that ended is written anew. */
  write(delivery: NewDelivery, now: number): Promise<void>;
  /** Takes deliveries that are due, oldest first. Others take them again at `dueAgainAt`. */
  takeDue(webhookId: string, now: number, dueAgainAt: number, limit: number): Promise<Delivery[]>;
  /** Makes up to `limit` deliveries due now that were due only after `at`. Returns how many. */
  hasten(webhookId: string, at: number, now: number, limit: number): Promise<number>;
  /** Notes a failed attempt, and when the next one is due. */
  putBack(delivery: Delivery, attempt: Attempt, dueAt: number): Promise<void>;
  /** Ends a delivery, and makes what waited for it due. */
  end(delivery: Delivery, attempt: Attempt | null, state: 'delivered' | 'failed', now: number): Promise<void>;
  /** Removes up to `limit` deliveries that ended before `at`. Returns how many. */
  forgetEndedBefore(at: number, limit: number): Promise<number>;
}

declare module '#server/domain/ports/metadata.ts' {
  interface Readers {
    readonly webhooks: WebhooksReader;
  }
  interface Tables {
    readonly webhooks: WebhooksTable;
  }
}
