const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

/** `Sun, 06 Nov 1994 08:49:37 GMT`: the one form that may be sent. */
const IMF_FIXDATE =
  /^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun), (?<day>\d\d) (?<month>[A-Z][a-z]{2}) (?<year>\d{4}) (?<time>\d\d:\d\d:\d\d) GMT$/;
/** `Sunday, 06-Nov-94 08:49:37 GMT`: obsolete, still to be understood. */
const RFC_850 =
  /^(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day, (?<day>\d\d)-(?<month>[A-Z][a-z]{2})-(?<year>\d\d) (?<time>\d\d:\d\d:\d\d) GMT$/;
/** `Sun Nov  6 08:49:37 1994`: C's asctime(), obsolete, still to be understood. */
const ASCTIME =
  /^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun) (?<month>[A-Z][a-z]{2}) (?<day>[ \d]\d) (?<time>\d\d:\d\d:\d\d) (?<year>\d{4})$/;

/**
 * Reads an HTTP-date in any of the three forms that a recipient must accept (RFC 9110 section 5.6.7).
 *
 * `Date.parse` does not serve: it takes `2024` and `1 apple` for dates, and asctime's form for local time.
 *
 * @returns milliseconds since 1970, always a whole second; `undefined` when the value is no date that exists
 */
export function parseHttpDate(value: string): number | undefined {
  const parts = (IMF_FIXDATE.exec(value) ?? RFC_850.exec(value) ?? ASCTIME.exec(value))?.groups;
  if (parts === undefined) return undefined;
  const [hours, minutes, seconds] = (parts['time'] ?? '').split(':').map(Number) as [number, number, number];
  const month = MONTHS.indexOf(parts['month'] ?? '');
  const day = Number(parts['day']);
  if (hours > 23 || minutes > 59 || seconds > 60) return undefined;

  const midnight = new Date(Date.UTC(fullYear(parts['year'] ?? ''), month, day));
  // Date.UTC rolls 31 February over into March; such a day is no date.
  if (midnight.getUTCMonth() !== month || midnight.getUTCDate() !== day) return undefined;
  return midnight.getTime() + ((hours * 60 + minutes) * 60 + seconds) * 1000;
}

/** Writes an instant as an IMF-fixdate; what is below a second is cut off. */
export function formatHttpDate(instantMs: number): string {
  return new Date(instantMs).toUTCString();
}

/** Two digits are the last two of a year from 1970 to 2069, as POSIX reads them. */
function fullYear(digits: string): number {
  const year = Number(digits);
  if (digits.length > 2) return year;
  return year < 70 ? 2000 + year : 1900 + year;
}
