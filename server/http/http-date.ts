const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

/** `Sun, 06 Nov 1994 08:49:37 GMT`: the only form that may be sent. */
const IMF_FIXDATE =
  /^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun), (?<day>\d\d) (?<month>[A-Z][a-z]{2}) (?<year>\d{4}) (?<time>\d\d:\d\d:\d\d) GMT$/;
/** `Sunday, 06-Nov-94 08:49:37 GMT`: obsolete, but must be accepted. */
const RFC_850 = new RegExp(
  /^(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day, (?<day>\d\d)-(?<month>[A-Z][a-z]{2})-(?<year>\d\d)/.source +
    / (?<time>\d\d:\d\d:\d\d) GMT$/.source,
);
/** `Sun Nov  6 08:49:37 1994`: the format of asctime() in C, obsolete, but must be accepted. */
const ASCTIME =
  /^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun) (?<month>[A-Z][a-z]{2}) (?<day>[ \d]\d) (?<time>\d\d:\d\d:\d\d) (?<year>\d{4})$/;

/**
 * Parses an HTTP-date in any of the three forms that a recipient must accept (RFC 9110 section 5.6.7).
 *
 * `Date.parse` is no alternative: it accepts `2024` and `1 apple`, and reads asctime's form as local time.
 *
 * @returns milliseconds since 1970, always a whole second; `undefined` if the value is not an existing date
 */
export function parseHttpDate(value: string): number | undefined {
  const parts = (IMF_FIXDATE.exec(value) ?? RFC_850.exec(value) ?? ASCTIME.exec(value))?.groups;
  if (parts === undefined) return undefined;
  const { time = '', month: monthName = '', year = '' } = parts;
  const [hours, minutes, seconds] = time.split(':').map(Number) as [number, number, number];
  const month = MONTHS.indexOf(monthName);
  const day = Number(parts.day);
  if (hours > 23 || minutes > 59 || seconds > 60) return undefined;

  const midnight = new Date(Date.UTC(fullYear(year), month, day));
  // Date.UTC turns 31 February into a day in March.
  if (midnight.getUTCMonth() !== month || midnight.getUTCDate() !== day) return undefined;
  return midnight.getTime() + ((hours * 60 + minutes) * 60 + seconds) * 1000;
}

/** Formats an instant as an IMF-fixdate, without fractions of a second. */
export function formatHttpDate(instantMs: number): string {
  return new Date(instantMs).toUTCString();
}

/** Two digits mean a year from 1970 to 2069, as in POSIX. */
function fullYear(digits: string): number {
  const year = Number(digits);
  if (digits.length > 2) return year;
  return year < 70 ? 2000 + year : 1900 + year;
}
