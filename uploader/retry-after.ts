/**
 * Parses `Retry-After` into milliseconds to wait: seconds or a date (RFC 9110, section 10.2.3).
 *
 * @param now milliseconds since 1970
 * @returns undefined when the value is neither
 */
export function retryAfterMs(value: string | null, now: number): number | undefined {
  if (value === null) return undefined;
  const text = value.trim();
  if (/^[0-9]+$/.test(text)) return Number(text) * 1000;
  // "must send dates in the IMF-fixdate format": `Date.parse()` alone would read "-5" and "1.5" as years.
  const at = /[A-Za-z]{3}/.test(text) ? Date.parse(text) : NaN;
  return Number.isNaN(at) ? undefined : Math.max(0, at - now);
}
