import { spaces, type Space } from '#server/domain/object-id.ts';
import type { Secrets } from '#server/domain/ports/secrets.ts';
import { signCursor, verifyCursor } from '#server/domain/signed-cursor.ts';
import type { ListFilters } from './list-filters.ts';
import type { ListSort, ScanStart, SortedPlace } from '../table.ts';

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

function bindingOf(list: CursorBinding): readonly unknown[] {
  const { accountId, prefix, isPrivate, delimiter, sort, isDescending, filters } = list;
  return [accountId, prefix, isPrivate ?? null, delimiter, sort, isDescending, filters];
}

/** Formats a position for clients: space, kind of start, key in base64url, and a signature over it and the filters. */
export function formatCursor(secrets: Pick<Secrets, 'sign'>, at: ListPosition, binding: CursorBinding): string {
  return signCursor(secrets, purpose, positionText(at), bindingOf(binding));
}

function positionText(at: ListPosition): string {
  const text = (key: string) => Buffer.from(key).toString('base64url');
  if ('behind' in at) return `${spaces.indexOf(at.behind.space)}v${at.behind.value}-${text(at.behind.key)}`;
  const { space, from } = at;
  const [kind, key] = from === undefined ? ['f', ''] : 'behind' in from ? ['b', from.behind] : ['a', from.at];
  return `${spaces.indexOf(space)}${kind}${text(key)}`;
}

const positionForm = /^(?<digit>[012])(?:(?<kind>[fba])|v(?<value>[0-9]{1,16})-)(?<key>[\w-]*)$/;

/**
 * Parses a cursor and verifies its signature.
 *
 * @throws INVALID_CONTINUATION_TOKEN if the cursor is malformed, or was made for other filters
 */
export function parseCursor(secrets: Pick<Secrets, 'verify'>, cursor: string, binding: CursorBinding): ListPosition {
  const list = { form: positionForm, binding: bindingOf(binding) };
  const { digit, kind, value, key = '' } = verifyCursor(secrets, purpose, cursor, list).groups ?? {};
  const text = Buffer.from(key, 'base64url').toString();
  const space = spaces[Number(digit)]!;
  if (value !== undefined) return { behind: { value: Number(value), space, key: text } };
  return { space, from: kind === 'f' ? undefined : kind === 'b' ? { behind: text } : { at: text } };
}
