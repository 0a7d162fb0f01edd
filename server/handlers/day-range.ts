import type { ErrorCode } from '#generated/errors.ts';
import { startOfDay, usageKeptDays } from '#server/domain/account/usage-days.ts';
import { dayMs } from '#server/domain/day.ts';
import type { DayRange } from '#server/domain/account/usage-history.ts';
import { Refusal } from '#server/domain/refusal.ts';

const defaultDays = 30;

/** Years before it have another form. */
const firstDay = Date.parse('0000-01-01T00:00:00Z');

/**
 * Reads a range of days in UTC.
 *
 * @param code thrown for days that do not exist, are in the wrong order or too far apart
 */
export function dayRangeOf(
  { from, to }: { readonly from?: string; readonly to?: string },
  now: number,
  code: ErrorCode,
): DayRange {
  const last = to === undefined ? startOfDay(now) : dayOf(to, 'to', code);
  const first = from === undefined ? last - (defaultDays - 1) * dayMs : dayOf(from, 'from', code);
  if (first < firstDay)
    throw new Refusal(code, { message: '`to` must be a day from 0000-01-30 on, or `from` must be given.' });
  if (first > last) throw new Refusal(code, { message: '`from` must not be after `to`.' });
  if (last - first >= usageKeptDays * dayMs)
    throw new Refusal(code, { message: `\`from\` and \`to\` may be ${usageKeptDays} days apart at most.` });
  return { from: first, to: last };
}

function dayOf(text: string, name: string, code: ErrorCode): number {
  const day = Date.parse(`${text}T00:00:00Z`);
  if (Number.isNaN(day) || dateOf(day) !== text)
    throw new Refusal(code, { message: `\`${name}\` must be a day in UTC, such as 2026-04-21. Got ${text}.` });
  return day;
}

/** Returns a day as `2026-04-21`. */
export function dateOf(day: number): string {
  return new Date(day).toISOString().slice(0, 10);
}
