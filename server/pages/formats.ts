const secondMs = 1000;
const minuteMs = 60 * secondMs;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;
const sizeUnits = ['byte', 'kilobyte', 'megabyte', 'gigabyte'] as const;

/** Formats bytes for people: `4.2 MB`, with the language's digits. A KB is 1024 bytes, as in the service's limits. */
export function sizeText(sizeBytes: number, locale: string): string {
  let value = sizeBytes;
  let unit = 0;
  while (value >= 1023.95 && unit < sizeUnits.length - 1) {
    value /= 1024;
    unit++;
  }
  const digits = unit === 0 || value >= 100 ? 0 : 1;
  return new Intl.NumberFormat(locale, {
    style: 'unit',
    unit: sizeUnits[unit]!,
    unitDisplay: unit === 0 ? 'long' : 'short',
    maximumFractionDigits: digits,
  }).format(value);
}

/** Formats date and time in UTC, without the zone's name. */
export function instantText(at: number, locale: string): string {
  return new Intl.DateTimeFormat(locale, { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' }).format(at);
}

/** Formats a time ahead: `in 3 days`. Rounds down, but never below one second. */
export function aheadText(byMs: number, locale: string): string {
  const [unit, unitMs] =
    byMs >= 2 * dayMs
      ? (['day', dayMs] as const)
      : byMs >= 2 * hourMs
        ? (['hour', hourMs] as const)
        : byMs >= 2 * minuteMs
          ? (['minute', minuteMs] as const)
          : (['second', secondMs] as const);
  return aheadFormat(locale).format(Math.max(1, Math.floor(byMs / unitMs)), unit);
}

const aheadFormats = new Map<string, Intl.RelativeTimeFormat>();

/** Caches a format for each locale. Creating one takes longer than rendering a failure page. */
function aheadFormat(locale: string): Intl.RelativeTimeFormat {
  const format = aheadFormats.get(locale) ?? new Intl.RelativeTimeFormat(locale, { numeric: 'always' });
  aheadFormats.set(locale, format);
  return format;
}

/** Formats a count in the language's singular or plural. */
export function countText(
  count: number,
  counted: { readonly one: string; readonly other: string },
  locale: string,
): string {
  const form = new Intl.PluralRules(locale).select(count) === 'one' ? counted.one : counted.other;
  return filled(form, { count: new Intl.NumberFormat(locale).format(count) });
}

/** Replaces the `{name}` gaps of a text. */
export function filled(text: string, values: Readonly<Record<string, string>>): string {
  return text.replace(/\{(\w+)\}/g, (gap, name: string) => values[name] ?? gap);
}
