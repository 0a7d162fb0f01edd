import type { EventType } from '#server/domain/events/event-type.ts';

export type DeliveryState = 'pending' | 'delivered' | 'failed';

/** What a delivery is about, as it is written. */
export interface NewDelivery {
  readonly webhookId: string;
  readonly sequence: number;
  readonly type: EventType;
  readonly eventAt: number;
  /** What its order is kept for: the key of its file, and the key that the file had before. */
  readonly orderKey: string | null;
  readonly formerKey: string | null;
}

/** The delivery of one event to one webhook. */
export interface Delivery extends NewDelivery {
  readonly state: DeliveryState;
  /** The sequence of an earlier pending delivery that it waits for. */
  readonly waitsFor: number | null;
  /** When it is due. Null unless it is pending and waits for none. */
  readonly dueAt: number | null;
  readonly tries: number;
  readonly last: Attempt | null;
  readonly endedAt: number | null;
}

/** One attempt to deliver. */
export interface Attempt {
  readonly triedAt: number;
  readonly durationMs: number;
  /** Null if there was no response. */
  readonly status: number | null;
  /** A text for the owner; null if it was confirmed. */
  readonly error: string | null;
}

const [secondMs, minuteMs, hourMs] = [1000, 60_000, 3_600_000];

/** How long after each failed attempt the next one follows. After the last one the delivery is given up. */
export const retryDelaysMs: readonly number[] = [
  5 * secondMs,
  5 * minuteMs,
  30 * minuteMs,
  2 * hourMs,
  5 * hourMs,
  10 * hourMs,
  14 * hourMs,
  20 * hourMs,
  24 * hourMs,
];

/** An attempt has this long. Then another process takes the delivery: this one was killed. */
export const attemptMs = 30 * secondMs;

/** A `Retry-After` beyond this is not obeyed. */
const maxRetryAfterMs = 24 * hourMs;

/**
 * Returns when a delivery is tried again; undefined if it is given up. Up to a tenth is added at random, so that what
 * failed together does not come back together.
 *
 * @param tries the attempts so far, with the one that has just failed
 * @param random from 0 to 1
 */
export function nextTryAt(now: number, tries: number, retryAfterMs: number, random: number): number | undefined {
  const delayMs = retryDelaysMs[tries - 1];
  if (delayMs === undefined) return undefined;
  return now + Math.max(Math.round(delayMs * (1 + random / 10)), Math.min(retryAfterMs, maxRetryAfterMs));
}

/** How long ended deliveries are kept. */
export const deliveriesKeptMs = 7 * 24 * hourMs;

/** An endpoint that has confirmed nothing for this long is disabled. */
export const failingMs = 5 * 24 * hourMs;

/** After this many failures in a row an endpoint gets one attempt at a time, with pauses. */
export const failuresUntilPause = 10;

/** Returns how long an endpoint rests after this many failures in a row. */
export function pauseMs(failures: number): number {
  return failures < failuresUntilPause ? 0 : Math.min(minuteMs, secondMs * 2 ** (failures - failuresUntilPause));
}
