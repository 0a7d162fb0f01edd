import { spaces, type Space } from '../object-id.ts';
import type { Secrets } from '../ports/secrets.ts';
import { Refusal } from '../refusal.ts';
import { isFiltered, type ListFilters } from './list-filters.ts';
import type { ListSort, ScanStart, SortedPlace } from './table.ts';

/** The position where the next page of a list by names begins. */
export interface NamePosition {
  readonly space: Space;
  readonly from: ScanStart | undefined;
}

/** The position where the next page of a list begins: behind a file, if the list has another order. */
export type ListPosition = NamePosition | { readonly behind: SortedPlace };

const purpose = 'list-cursor';

/** The list that a cursor belongs to. With other filters, or in another account, the cursor is not valid. */
export interface CursorBinding {
  readonly accountId: string;
  /** Any leading part of a key. Empty for all keys. */
  readonly prefix: string;
  readonly isPrivate: boolean | undefined;
  /** Rolls up keys that have a slash behind the prefix. */
  readonly delimiter: boolean;
  readonly sort: ListSort;
  readonly isDescending: boolean;
  readonly filters: ListFilters;
}

/** Cursors from before lists had an order and filters stay valid, so a plain list is bound as it was. */
function bound(position: string, binding: CursorBinding): string {
  const { accountId, prefix, isPrivate, delimiter, sort, isDescending, filters } = binding;
  const plain = [position, accountId, prefix, isPrivate ?? null, delimiter];
  const isPlain = sort === 'name' && !isDescending && !isFiltered(filters);
  return JSON.stringify(isPlain ? plain : [...plain, sort, isDescending, filters]);
}

/** Formats a position for clients: space, kind of start, key in base64url, and a signature over it and the filters. */
export function formatCursor(secrets: Pick<Secrets, 'sign'>, at: ListPosition, binding: CursorBinding): string {
  const position = positionText(at);
  return `${position}.${secrets.sign(purpose, bound(position, binding))}`;
}

function positionText(at: ListPosition): string {
  const text = (key: string) => Buffer.from(key).toString('base64url');
  if ('behind' in at) return `${spaces.indexOf(at.behind.space)}v${at.behind.value}-${text(at.behind.key)}`;
  const { space, from } = at;
  const [kind, key] = from === undefined ? ['f', ''] : 'behind' in from ? ['b', from.behind] : ['a', from.at];
  return `${spaces.indexOf(space)}${kind}${text(key)}`;
}

const cursorForm =
  /^(?<position>(?<digit>[012])(?:(?<kind>[fba])|v(?<value>[0-9]{1,16})-)(?<key>[\w-]*))\.(?<signature>[\w-]+)$/;

/**
 * Parses a cursor and verifies its signature.
 *
 * @throws INVALID_CONTINUATION_TOKEN if the cursor is malformed, or was made for other filters
 */
export function parseCursor(secrets: Pick<Secrets, 'verify'>, cursor: string, binding: CursorBinding): ListPosition {
  const { position = '', digit, kind, value, key = '', signature = '' } = cursorForm.exec(cursor)?.groups ?? {};
  if (!secrets.verify(purpose, bound(position, binding), signature)) throw new Refusal('INVALID_CONTINUATION_TOKEN');
  const text = Buffer.from(key, 'base64url').toString();
  const space = spaces[Number(digit)]!;
  if (value !== undefined) return { behind: { value: Number(value), space, key: text } };
  return { space, from: kind === 'f' ? undefined : kind === 'b' ? { behind: text } : { at: text } };
}
