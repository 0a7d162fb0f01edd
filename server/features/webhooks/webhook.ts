import type { Prefix } from '#server/domain/prefixes.ts';
import { dayMs } from '#server/domain/day.ts';

export type WebhookFormat = 'standard' | 's3';

export type DisabledReason = 'gone' | 'failing' | 'request';

/** What a receiver checks deliveries with. Encrypted under the master key. */
export interface SealedSecrets {
  /** The secret of the `v1` signatures. */
  readonly secret: string;
  /** The private key of the `v1a` signatures. */
  readonly key: string;
}

/** The part of a webhook that its owner chooses. */
export interface WebhookChoice extends ChosenFilters {
  /** The address, encrypted under the master key: it may hold a secret of the receiver. */
  readonly sealedUrl: string;
}

/** What a webhook sends, and the owner's note. */
export interface ChosenFilters {
  /** Types of events, or beginnings with `*` behind them. Null for all. */
  readonly types: readonly string[] | null;
  /** Null for all files, and events about none. */
  readonly prefixes: readonly Prefix[] | null;
  readonly description: string;
}

/** An endpoint that events are sent to. Instants are milliseconds since the epoch. */
export interface Webhook extends WebhookChoice {
  readonly id: string;
  readonly accountId: string;
  readonly format: WebhookFormat;
  /** Whether it gets events that are about no file. */
  readonly seesAccount: boolean;
  readonly sealed: SealedSecrets;
  /** In the form of the Standard Webhooks specification: `whpk_` and base64. */
  readonly publicKey: string;
  /** The secrets of before a rotation. They sign until `formerUntil`. */
  readonly formerSealed: SealedSecrets | null;
  readonly formerUntil: number | null;
  readonly createdAt: number;
  /** Null while it is enabled. */
  readonly disabledReason: DisabledReason | null;
  /** Up to this event of the account, its deliveries are written. */
  readonly writtenSequence: number;
  /** The last event of a replay whose delivery is written, and the last one of its range. Null without a replay. */
  readonly replayedSequence: number | null;
  readonly replayUntil: number | null;
  readonly health: WebhookHealth;
}

/** How the last attempts went. */
export interface WebhookHealth {
  /** Attempts that failed since the last confirmed one. */
  readonly failures: number;
  /** When the first of them failed. */
  readonly failingSince: number | null;
  /** After many failures in a row nothing is sent before this. */
  readonly pausedUntil: number;
  readonly lastSuccessAt: number | null;
  readonly lastError: string | null;
}

export const healthAtFirst: WebhookHealth = {
  failures: 0,
  failingSince: null,
  pausedUntil: 0,
  lastSuccessAt: null,
  lastError: null,
};

/** The webhooks of an account. */
export const maxWebhooks = 20;

/** How long the former secret signs after a rotation. */
export const overlapMs = dayMs;

/** The purposes of sealed texts, so that no text can replace one of another purpose. */
export const sealedFor = { secret: 'webhook-secret', key: 'webhook-key', url: 'webhook-url' } as const;
