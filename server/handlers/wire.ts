import { Refusal } from '#server/domain/refusal.ts';

/** Formats an instant for clients: ISO 8601 in UTC with milliseconds. */
export function timestamp(instantMs: number): string {
  return new Date(instantMs).toISOString();
}

/** Formats an instant that may be missing. */
export function timestampOrNull(instantMs: number | null): string | null {
  return instantMs === null ? null : timestamp(instantMs);
}

/** Returns a reply of the storage API and the general API. */
export function success<Response>(response: Response) {
  return { status: 200 as const, body: { status: 'success' as const, response } };
}

/** A reply without content. */
export const done = { status: 200, body: { status: 'success' } } as const;

/** Returns the cursor of the next page, or nothing on the last page. */
export function continuation(next: string | undefined): { readonly continuationToken?: string } {
  return next === undefined ? {} : { continuationToken: next };
}

/**
 * Reads the cursor of a list, which has two names.
 *
 * @throws INVALID_CONTINUATION_TOKEN if both are sent
 */
export function cursorOf(query: { readonly cursor?: string; readonly continuationToken?: string }): string | undefined {
  if (query.cursor !== undefined && query.continuationToken !== undefined) {
    throw new Refusal('INVALID_CONTINUATION_TOKEN', {
      message: 'cursor and continuationToken are two names of one parameter. Send one of them.',
    });
  }
  return query.cursor ?? query.continuationToken;
}

/** Drops repeated values. */
export function distinct<T>(values: readonly T[]): T[] {
  return [...new Set(values)];
}
