const maxAge = { least: 60, most: 31_536_000 } as const;

/** Whether `value` is `immutable`, `no-cache`, or `max-age=N` with N in range. @see decisions.md, section 2 */
export function isCacheControl(value: string): boolean {
  if (value === 'immutable' || value === 'no-cache') return true;
  const seconds = Number(/^max-age=([1-9][0-9]*)$/.exec(value)?.[1]);
  return seconds >= maxAge.least && seconds <= maxAge.most;
}

/** The header that a public file is served with; what was set is widened to what caches on the way understand. */
export function servedCacheControl(value: string): string {
  if (value === 'immutable') return `public, max-age=${maxAge.most}, immutable`;
  return value === 'no-cache' ? value : `public, ${value}`;
}

/** The header where none was set. */
export const defaultCacheControl = 'public, max-age=60';
