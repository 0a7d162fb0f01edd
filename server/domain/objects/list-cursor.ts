import { spaces, type Space } from '../object-id.ts';
import type { Secrets } from '../ports/secrets.ts';
import { Refusal } from '../refusal.ts';
import type { ScanStart } from './table.ts';

/** The position where the next page of a list begins. */
export interface ListPosition {
  readonly space: Space;
  readonly from: ScanStart | undefined;
}

const purpose = 'list-cursor';

/** The list that a cursor belongs to. With other filters, or in another account, the cursor is not valid. */
export interface CursorBinding {
  readonly accountId: string;
  /** Any leading part of a key. Empty for all keys. */
  readonly prefix: string;
  readonly isPrivate: boolean | undefined;
  /** Rolls up keys that have a slash behind the prefix. */
  readonly delimiter: boolean;
}

function bound(position: string, { accountId, prefix, isPrivate, delimiter }: CursorBinding): string {
  return JSON.stringify([position, accountId, prefix, isPrivate ?? null, delimiter]);
}

/** Formats a position for clients: space, kind of start, key in base64url, and a signature over it and the filters. */
export function formatCursor(
  secrets: Pick<Secrets, 'sign'>,
  { space, from }: ListPosition,
  binding: CursorBinding,
): string {
  const [kind, key] = from === undefined ? ['f', ''] : 'behind' in from ? ['b', from.behind] : ['a', from.at];
  const position = `${spaces.indexOf(space)}${kind}${Buffer.from(key).toString('base64url')}`;
  return `${position}.${secrets.sign(purpose, bound(position, binding))}`;
}

/**
 * Parses a cursor and verifies its signature.
 *
 * @throws INVALID_CONTINUATION_TOKEN if the cursor is malformed, or was made for other filters
 */
export function parseCursor(secrets: Pick<Secrets, 'verify'>, cursor: string, binding: CursorBinding): ListPosition {
  const [, position = '', digit, kind, key = '', signature = ''] =
    /^(([012])([fba])([\w-]*))\.([\w-]+)$/.exec(cursor) ?? [];
  if (!secrets.verify(purpose, bound(position, binding), signature)) throw new Refusal('INVALID_CONTINUATION_TOKEN');
  const text = Buffer.from(key, 'base64url').toString();
  const from = kind === 'f' ? undefined : kind === 'b' ? { behind: text } : { at: text };
  return { space: spaces[Number(digit)]!, from };
}
