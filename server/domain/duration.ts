const hourMs = 3_600_000;
const maxHours = 1825 * 24;

/** A whole number of hours, from 1 hour to 1825 days. */
export interface Duration {
  readonly hours: number;
}

/** Reads `30`, `30d` or `6h`. Returns `undefined` for another form, or a duration out of range. */
export function parseDuration(text: string): Duration | undefined {
  const match = /^([1-9][0-9]{0,5})([dh]?)$/.exec(text);
  if (!match) return undefined;
  const hours = Number(match[1]) * (match[2] === 'h' ? 1 : 24);
  return hours <= maxHours ? { hours } : undefined;
}

/** Whether the duration is less than seven days. Such an expiry is an Enterprise option. */
export function isShort(duration: Duration): boolean {
  return duration.hours < 7 * 24;
}

/** Returns the mark in a stored key: `ex30` for whole days, `ex6h` otherwise. */
export function expiryMark(duration: Duration): string {
  return duration.hours % 24 === 0 ? `ex${duration.hours / 24}` : `ex${duration.hours}h`;
}

/** Formats a duration for clients: `30d` for whole days, `6h` otherwise. */
export function formatDuration({ hours }: Duration): string {
  return hours % 24 === 0 ? `${hours / 24}d` : `${hours}h`;
}

/** Returns the instant, in milliseconds since the epoch, at which something written at `fromMs` expires. */
export function expiresAtMs(duration: Duration, fromMs: number): number {
  return fromMs + duration.hours * hourMs;
}
