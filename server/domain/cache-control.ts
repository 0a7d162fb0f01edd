const maxAge = { least: 60, most: 31_536_000 } as const;

/** Whether `value` is `immutable`, `no-cache`, or `max-age=N` with N in range. */
export function isCacheControl(value: string): boolean {
  if (value === 'immutable' || value === 'no-cache') return true;
  const seconds = Number(/^max-age=([1-9][0-9]*)$/.exec(value)?.[1]);
  return seconds >= maxAge.least && seconds <= maxAge.most;
}

/** Returns the `Cache-Control` header of a public file, from the setting of its owner. */
export function servedCacheControl(value: string): string {
  if (value === 'immutable') return `public, max-age=${maxAge.most}, immutable`;
  return value === 'no-cache' ? value : `public, ${value}`;
}

/** Whether a `Cache-Control` header forbids shared caches, or all caches, to store a response. */
export function forbidsSharing(header: string): boolean {
  return /(?<![\w-])(?:no-store|private)(?![\w-])/i.test(header);
}

/** The header when the owner has set none. */
export const defaultCacheControl = 'public, max-age=60';

/** The time for which a CDN may keep a response that no purge names. The contract promises about 60 seconds. */
const unpurgedSeconds = 60;

/** A directive with a number of seconds. */
const ages = /(?<![\w-])(max-age|s-maxage|stale-while-revalidate|stale-if-error)(\s*=\s*"?)(\d+)/gi;

/**
 * Cuts every age in a `Cache-Control` header so that no cache keeps the file beyond its end.
 *
 * @param leftMs how long the file still exists. Null: it never expires
 */
export function cappedCacheControl(header: string, leftMs: number | null): string {
  if (leftMs === null) return header;
  const left = Math.max(0, Math.floor(leftMs / 1000));
  // The `stale-…` directives allow use after max-age is over, so they become 0.
  return header.replace(
    ages,
    (_all, name: string, equals: string, seconds: string) =>
      `${name}${equals}${/^stale/i.test(name) ? 0 : Math.min(Number(seconds), left)}`,
  );
}

/**
 * Returns the header of a file that is requested with a query. A CDN caches each query separately, and a purge names
 * none of them. So a shared cache may keep such a response for only a minute. Browsers keep it for its full time,
 * because a page that adds `?v=2` to an address wants to control them.
 */
export function queryCacheControl(header: string): string {
  return maxAgeOf(header) > unpurgedSeconds && !forbidsSharing(header)
    ? `${header}, s-maxage=${unpurgedSeconds}`
    : header;
}

/**
 * Returns the header of a redirect to a file that is served with `header`: a minute, and never longer than the file.
 */
export function redirectCacheControl(header: string): string {
  if (forbidsSharing(header)) return header;
  const seconds = Math.min(maxAgeOf(header), unpurgedSeconds);
  return Number.isNaN(seconds) ? header : `public, max-age=${seconds}`;
}

/** Returns the seconds of `max-age`, or NaN if the header has none. */
function maxAgeOf(header: string): number {
  return Number(/(?<![\w-])max-age=(\d+)/.exec(header)?.[1]);
}
