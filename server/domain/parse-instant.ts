const form = /^([0-9]{4}-[0-9]{2}-[0-9]{2})T[0-9]{2}:[0-9]{2}:[0-9]{2}(\.[0-9]+)?(Z|[+-]([0-9]{2}):([0-9]{2}))$/;

/**
 * Reads an instant of RFC 3339: a date, a time with seconds, and `Z` or an offset.
 *
 * @returns milliseconds since the epoch, without finer digits; undefined for any other text, or a day that does not
 *   exist
 */
export function parseInstant(text: string): number | undefined {
  const [, day, , , hours, minutes] = form.exec(text) ?? [];
  if (day === undefined || Number(hours ?? 0) > 23 || Number(minutes ?? 0) > 59) return undefined;
  // Date.parse reads 31 February as 3 March, and 24:00 as the next day.
  const midnight = Date.parse(`${day}T00:00:00Z`);
  if (Number.isNaN(midnight) || new Date(midnight).toISOString().slice(0, 10) !== day || text.slice(11, 13) === '24')
    return undefined;
  const instant = Date.parse(text.replace(/(\.[0-9]{3})[0-9]+/, '$1'));
  return Number.isNaN(instant) ? undefined : instant;
}
