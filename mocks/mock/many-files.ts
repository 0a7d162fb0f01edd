import { formatCursor, parseCursor } from '#server/features/files/listing/list-cursor.ts';
import { plainList } from '#server/features/files/listing/list-filters.ts';
import { mockAccountId, mockSecrets } from './stateless.ts';

const count = 2500;

/** The mock's signatures do not depend on the list. */
const anyList = { accountId: mockAccountId, prefix: '', isPrivate: undefined, delimiter: false, ...plainList };

/** The validated query of a list. */
interface Query {
  readonly prefix?: string;
  readonly limit?: number;
  readonly cursor?: string;
  readonly continuationToken?: string;
}

/** Returns the page of a long list that a request asks for. Its keys begin with the prefix of the request. */
export function manyFiles(query: Query): object {
  const { prefix = 'photos/', limit = 1000, continuationToken = query.cursor } = query;
  const start = continuationToken === undefined ? 0 : startOf(continuationToken);
  const end = Math.min(count, start + limit);
  const numbers = Array.from({ length: Math.max(0, end - start) }, (_, index) => start + index + 1);
  const keys = numbers.map((number) => `${prefix}${String(number).padStart(4, '0')}.png`);
  return {
    status: 'success',
    response: { objects: keys.map(entry), ...(end < count && { continuationToken: cursorBehind(keys.at(-1)!) }) },
  };
}

function entry(key: string) {
  return {
    id: `pub/${mockAccountId}/${key}`,
    size: 4583,
    created_at: '2026-04-21T09:30:00.000Z',
    private: false,
    url: `https://public.cubby.invalid/${mockAccountId}/${key}`,
    etag: '9e107d9d372bb6826bd81d3542a419d6',
  };
}

function cursorBehind(key: string): string {
  return formatCursor(mockSecrets, { space: 'public', from: { behind: key } }, anyList);
}

/** Returns the number of entries before a page. The cursor of another list has none. */
function startOf(cursor: string): number {
  const position = parseCursor(mockSecrets, cursor, anyList);
  const from = 'from' in position ? position.from : undefined;
  const [, number = '0'] = (from && 'behind' in from && /(\d+)\.png$/.exec(from.behind)) || [];
  return Number(number);
}
