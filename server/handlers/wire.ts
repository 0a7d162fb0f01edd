/** An instant as clients see it: ISO 8601 in UTC with milliseconds. */
export function timestamp(instantMs: number): string {
  return new Date(instantMs).toISOString();
}

/** A prefix without its trailing slash; an empty one is none. */
export function withoutTrailingSlash(prefix: string | undefined): string | undefined {
  return prefix?.replace(/\/$/, '') || undefined;
}

/** `expire` of a JSON body: text, or a number of days; null and undefined keep their meaning. */
export function durationText(expire: string | number | null | undefined): string | null | undefined {
  return typeof expire === 'number' ? String(expire) : expire;
}
