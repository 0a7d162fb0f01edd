import { pageOf, type Page, type PageRequest } from './page.ts';
import type { Secrets } from './ports/secrets.ts';
import { formatCursor, parseCursor, type SequencedList } from './sequence-cursor.ts';

/**
 * Returns one page of a list that is read by sequence.
 *
 * @param read returns the newest rows before a sequence
 * @throws INVALID_CONTINUATION_TOKEN
 */
export async function sequencePage<Row extends { readonly sequence: number }>(
  secrets: Pick<Secrets, 'sign' | 'verify'>,
  list: SequencedList,
  { limit, cursor }: PageRequest,
  read: (before: number, limit: number) => Promise<readonly Row[]>,
): Promise<Page<Row>> {
  const before = cursor === undefined ? Number.MAX_SAFE_INTEGER : parseCursor(secrets, list, cursor);
  return pageOf(await read(before, limit + 1), limit, ({ sequence }) => formatCursor(secrets, list, sequence));
}
