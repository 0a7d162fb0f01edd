import { Refusal } from '#server/domain/refusal.ts';

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

/** A reply of the storage API and the general API. */
export function success<Response>(response: Response) {
  return { status: 200 as const, body: { status: 'success' as const, response } };
}

/** The same where there is nothing to tell. */
export const done = { status: 200, body: { status: 'success' } } as const;

/**
 * The cursor of a list, which has two names.
 *
 * @throws INVALID_CONTINUATION_TOKEN when both are sent
 */
export function cursorOf(query: { readonly cursor?: string; readonly continuationToken?: string }): string | undefined {
  if (query.cursor !== undefined && query.continuationToken !== undefined) {
    throw new Refusal('INVALID_CONTINUATION_TOKEN', {
      message: 'cursor and continuationToken are two names of one parameter. Send one of them.',
    });
  }
  return query.cursor ?? query.continuationToken;
}
