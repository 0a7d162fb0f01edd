import { listEvents, type Event } from '#dist/modules/client/index.js';

import { ask } from '../../app/api.ts';

const pageSize = 1000;
const mostPages = 20;

/**
 * Reads the events that are kept, oldest first, page by page. Reads at most 20,000.
 *
 * @param visit gets each page; true ends the reading
 * @returns the cursor behind what was read, and whether that is the end of the list
 */
export async function readEvents(
  signal: AbortSignal,
  visit: (events: readonly Event[]) => boolean | void,
): Promise<{ readonly cursor: string | undefined; readonly isEnd: boolean }> {
  let cursor: string | undefined;
  for (let page = 0; page < mostPages; page++) {
    const query = { limit: pageSize, ...(cursor !== undefined && { cursor }) };
    const read = await ask(listEvents({ query, signal }));
    cursor = read.cursor;
    if (visit(read.events) === true) return { cursor, isEnd: false };
    if (read.events.length < pageSize) return { cursor, isEnd: true };
  }
  return { cursor, isEnd: false };
}

/** Returns the cursor of the end of the list. */
export async function latestCursor(signal: AbortSignal): Promise<string> {
  return (await ask(listEvents({ query: { cursor: 'latest' }, signal }))).cursor;
}
