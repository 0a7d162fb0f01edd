import type { Entry } from './entry.ts';
import { loadPage, type Filter } from './load-page.ts';
import type { Place } from './place.ts';

/** This many rows may be chosen at once. */
export const mostChosen = 10_000;

/**
 * Lists a folder to its end, or as far as rows may be chosen.
 *
 * @throws {ApiError}
 */
export async function allEntries(
  place: Place,
  filter: Filter,
  signal: AbortSignal,
): Promise<{ readonly entries: readonly Entry[]; readonly isAll: boolean }> {
  const found = new Map<string, Entry>();
  let cursor: string | undefined;
  do {
    const { entries, next } = await loadPage(place, filter, cursor, signal);
    for (const entry of entries) found.set(entry.key, entry);
    cursor = next;
  } while (cursor !== undefined && found.size < mostChosen);
  const isAll = cursor === undefined && found.size <= mostChosen;
  return { entries: [...found.values()].slice(0, mostChosen), isAll };
}
