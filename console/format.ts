import { language, locale, timeZone } from './app/settings.ts';

const units = ['B', 'KiB', 'MiB', 'GiB', 'TiB', 'PiB'] as const;

/** Returns a size in powers of 1024, as in `4.2 MiB`. */
export function formatSize(bytes: number): string {
  const step = bytes < 1024 ? 0 : Math.min(units.length - 1, Math.floor(Math.log2(bytes) / 10));
  const value = bytes / 1024 ** step;
  const digits = step === 0 || value >= 100 ? 0 : 1;
  const text = `${formatNumber(value, digits)} ${units[step]}`;
  return inOrder(text);
}

/** Keeps number and unit in their order within text from right to left. */
function inOrder(text: string): string {
  return language.value === 'ar' ? `\u2066${text.replaceAll(/[\u200e\u200f\u061c]/g, '')}\u2069` : text;
}

export function formatNumber(value: number, mostDigits = 0): string {
  return numbers(locale(), mostDigits).format(value);
}

/** Returns an amount of Brazilian reais. */
export function formatMoney(reais: number): string {
  return inOrder(new Intl.NumberFormat(locale(), { style: 'currency', currency: 'BRL' }).format(reais));
}

/** Returns an amount that may be far below the smallest coin, as in `$0.000024`. */
export function formatCost(amount: number, currency: string): string {
  const digits = amount > 0 && amount < 1 ? { maximumSignificantDigits: 3 } : {};
  return inOrder(new Intl.NumberFormat(locale(), { style: 'currency', currency, ...digits }).format(amount));
}

/** @param share from 0 to 1 */
export function formatShare(share: number): string {
  return new Intl.NumberFormat(locale(), { style: 'percent', maximumFractionDigits: 0 }).format(share);
}

/** Returns a day and a time, as in `21 Apr 2026, 09:30`. */
export function formatTime(instant: string | number | Date): string {
  return times(locale(), timeZone.value, 'short').format(new Date(instant));
}

/** Returns a day, a time with seconds, and the name of the time zone. */
export function formatExactTime(instant: string | number | Date): string {
  return times(locale(), timeZone.value, 'full').format(new Date(instant));
}

/** Returns a day of UTC, as in `21 Apr 2026`; the short form has no year. */
export function formatDay(day: string | number, length: 'medium' | 'short' = 'medium'): string {
  return days(locale(), length).format(new Date(day));
}

const steps: ReadonlyArray<readonly [Intl.RelativeTimeFormatUnit, number]> = [
  ['year', 31_536_000],
  ['month', 2_592_000],
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
];

/** Returns a time from now, as in `3 days ago` or `in 2 hours`. */
export function formatRelative(instant: string | number | Date, nowMs = Date.now()): string {
  const seconds = (new Date(instant).getTime() - nowMs) / 1000;
  const format = new Intl.RelativeTimeFormat(locale(), { numeric: 'auto' });
  const step = steps.find(([, length]) => Math.abs(seconds) >= length);
  return step ? format.format(Math.trunc(seconds / step[1]), step[0]) : format.format(0, 'second');
}

/** Intl's formats take longer to make than to use, and a list uses one in every row. */
function memo<Arguments extends readonly unknown[], Made>(make: (...given: Arguments) => Made) {
  const made = new Map<string, Made>();
  return (...given: Arguments): Made => {
    const key = given.join('|');
    const known = made.get(key) ?? make(...given);
    made.set(key, known);
    return known;
  };
}

const numbers = memo(
  (tag: string, mostDigits: number) => new Intl.NumberFormat(tag, { maximumFractionDigits: mostDigits }),
);

const days = memo(
  (tag: string, length: 'medium' | 'short') =>
    new Intl.DateTimeFormat(tag, {
      timeZone: 'UTC',
      day: 'numeric',
      month: 'short',
      ...(length === 'medium' && { year: 'numeric' }),
    }),
);

const times = memo((tag: string, zone: string | undefined, length: 'short' | 'full') => {
  const common = { timeZone: zone, dateStyle: 'medium' } as const;
  return new Intl.DateTimeFormat(
    tag,
    length === 'short'
      ? { ...common, timeStyle: 'short' }
      : {
          timeZone: zone,
          year: 'numeric',
          month: 'long',
          day: 'numeric',
          hour: '2-digit',
          minute: '2-digit',
          second: '2-digit',
          timeZoneName: 'short',
        },
  );
});
