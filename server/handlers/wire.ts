import { LRUCache } from 'lru-cache';

import { atMost } from '#server/domain/at-most.ts';
import { dayMs } from '#server/domain/day.ts';
import { Refusal } from '#server/domain/refusal.ts';

/** The dates of days since the epoch, up to the `T`. The files of a list are from few days. */
const dates = new LRUCache<number, string>(atMost(10_000));

/** The numbers of times with leading zeros. */
const twoDigits = Array.from({ length: 60 }, (_, number) => String(number).padStart(2, '0'));
const threeDigits = Array.from({ length: 1000 }, (_, number) => String(number).padStart(3, '0'));

/**
 * Formats an instant for clients: ISO 8601 in UTC with milliseconds. This is what `Date.toISOString()` returns, which
 * takes ten times as long: too long for a list of a thousand files.
 *
 * @throws RangeError for an instant outside of the range of `Date`
 */
export function timestamp(instantMs: number): string {
  const instant = Math.trunc(instantMs);
  const day = Math.floor(instant / dayMs);
  const date = dates.get(day) ?? dateOf(day);
  const ms = instant - day * dayMs;
  const seconds = Math.floor(ms / 1000);
  const minutes = Math.floor(seconds / 60);
  const minute = `${twoDigits[Math.floor(minutes / 60)]}:${twoDigits[minutes % 60]}`;
  return `${date}${minute}:${twoDigits[seconds % 60]}.${threeDigits[ms % 1000]}Z`;
}

function dateOf(day: number): string {
  const date = new Date(day * dayMs).toISOString().slice(0, -'00:00:00.000Z'.length);
  dates.set(day, date);
  return date;
}

/** Formats an instant that may be missing. */
export function timestampOrNull(instantMs: number | null): string | null {
  return instantMs === null ? null : timestamp(instantMs);
}

/** Returns a reply of the storage API and the general API. */
export function success<Response>(response: Response) {
  return { status: 200 as const, body: { status: 'success' as const, response } };
}

/** Returns a reply about something new. */
export function created<Response>(response: Response) {
  return { ...success(response), status: 201 as const };
}

/** Returns a reply about work that goes on. */
export function accepted<Response>(response: Response) {
  return { ...success(response), status: 202 as const };
}

/** A reply without content. */
export const done = { status: 200, body: { status: 'success' } } as const;

/** Returns the cursor of the next page, or nothing on the last page. */
export function continuation(next: string | undefined): { readonly continuationToken?: string } {
  return next === undefined ? {} : { continuationToken: next };
}

/**
 * Reads the cursor of a list, which has two names.
 *
 * @throws INVALID_CONTINUATION_TOKEN if both are sent
 */
export function cursorOf(query: { readonly cursor?: string; readonly continuationToken?: string }): string | undefined {
  if (query.cursor !== undefined && query.continuationToken !== undefined) {
    throw new Refusal('INVALID_CONTINUATION_TOKEN', {
      message: 'cursor and continuationToken are two names of one parameter. Send one of them.',
    });
  }
  return query.cursor ?? query.continuationToken;
}

/** Drops repeated values. */
export function distinct<T>(values: readonly T[]): T[] {
  return [...new Set(values)];
}
