const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

const iso =
  /^([0-9]{4}-[0-9]{2}-[0-9]{2})[T ]([0-9]{2}:[0-9]{2}:[0-9]{2})(?:[.,]([0-9]{1,9}))?\s?(Z|[+-][0-9]{2}:?[0-9]{2})$/;

/** The format of nginx's `$time_local` and the Common Log Format: `21/Apr/2026:09:30:00 +0000`. */
const local = /^([0-9]{2})\/([A-Z][a-z]{2})\/([0-9]{4}):([0-9]{2}:[0-9]{2}:[0-9]{2}) ([+-][0-9]{2}:?[0-9]{2})$/;

/** The latest accepted time: 9999-12-31. */
const latestMs = 253_402_300_799_999;

/**
 * Parses the time of a line into ms since the epoch. Returns `undefined` for anything else, also for a time without a
 * zone.
 *
 * @param time text, or a number since the epoch, whose size tells seconds, milliseconds, microseconds and nanoseconds
 *   apart
 */
export function parseLogTime(time: unknown): number | undefined {
  const instant = typeof time === 'number' ? ofNumber(time) : typeof time === 'string' ? ofText(time) : undefined;
  return instant !== undefined && instant >= 0 && instant <= latestMs ? instant : undefined;
}

/** 10^11 is the year 5138 in seconds and 1973 in milliseconds. The other units follow the same way. */
function ofNumber(time: number): number | undefined {
  if (!Number.isFinite(time)) return undefined;
  if (time < 1e11) return Math.floor(time * 1000);
  if (time < 1e14) return Math.floor(time);
  return Math.floor(time < 1e17 ? time / 1e3 : time / 1e6);
}

function ofText(text: string): number | undefined {
  const [, day, time, fraction = '0', zone] = iso.exec(text) ?? [];
  if (day !== undefined) return instantOf(day, `${time}.${fraction.slice(0, 3).padEnd(3, '0')}`, zone!);
  const [, date, month, year, clock, offset] = local.exec(text) ?? [];
  const number = months.indexOf(month ?? '') + 1;
  if (number > 0) return instantOf(`${year}-${String(number).padStart(2, '0')}-${date}`, `${clock}.000`, offset!);
  return /^[0-9]{1,19}(\.[0-9]+)?$/.test(text) ? ofNumber(Number(text)) : undefined;
}

function instantOf(day: string, time: string, zone: string): number | undefined {
  const offset = zone === 'Z' || zone.includes(':') ? zone : `${zone.slice(0, 3)}:${zone.slice(3)}`;
  const instant = Date.parse(`${day}T${time}${offset}`);
  // Date.parse reads 31 February as 3 March.
  const isDay = Number(day.slice(8)) <= 28 || new Date(`${day}T00:00:00Z`).getUTCDate() === Number(day.slice(8));
  return Number.isNaN(instant) || !isDay ? undefined : instant;
}
