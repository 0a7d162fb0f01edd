import { maxListPrefixBytes } from '../limits.ts';
import { nextTurn } from '../next-turn.ts';
import type { Clock } from '../ports/clock.ts';
import type { Reads } from '../ports/metadata.ts';
import type { Secrets } from '../ports/secrets.ts';
import { Refusal } from '../refusal.ts';
import { formatCursor, parseCursor, type CursorBinding, type ListPosition } from './list-cursor.ts';
import type { ListPage, ListPages } from './list-pages.ts';
import { spaces, type Space } from '../object-id.ts';
import { isExpired, type StoredObject } from './object.ts';
import type { ScanStart } from './table.ts';
import { unavailableAs } from '../unavailable-as.ts';

interface Deps {
  readonly metadata: Reads<'accounts' | 'objects'>;
  readonly secrets: Pick<Secrets, 'sign' | 'verify'>;
  readonly clock: Clock;
  readonly pages: ListPages;
}

export interface ListObjects {
  readonly accountId: string;
  /** Any leading part of a key; '' for all. */
  readonly prefix: string;
  readonly isPrivate: boolean | undefined;
  /** Rolls up what lies deeper than the next slash. */
  readonly delimiter: boolean;
  /** Files and folders together, 1 to 1000. */
  readonly limit: number;
  readonly cursor: string | undefined;
}

/**
 * One page of an account's files: public, private, legacy, each in byte order of the keys.
 * The page may come from a cache, but any change to the account's files makes it stale at once.
 *
 * @throws INVALID_OBJECT_PREFIX, INVALID_CONTINUATION_TOKEN, LIST_FAILED
 */
export async function listObjects(deps: Deps, command: ListObjects): Promise<ListPage> {
  if (Buffer.byteLength(command.prefix) > maxListPrefixBytes) throw new Refusal('INVALID_OBJECT_PREFIX');
  const position = command.cursor === undefined ? undefined : parseCursor(deps.secrets, command.cursor, command);
  return cachedPage(deps, command, position).catch(unavailableAs('LIST_FAILED'));
}

async function cachedPage(deps: Deps, command: ListObjects, position: ListPosition | undefined): Promise<ListPage> {
  const account = await deps.metadata.read.accounts.find(command.accountId);
  const now = deps.clock.now();
  const key = JSON.stringify([
    account?.revision,
    command.accountId,
    command.prefix,
    command.isPrivate,
    command.delimiter,
    command.limit,
    command.cursor,
  ]);
  const cached = deps.pages.get(key, now);
  if (cached) return cached;
  const page = await readPage(deps, command, position);
  deps.pages.set(key, page, now);
  return page;
}

function spacesOf(isPrivate: boolean | undefined): readonly Space[] {
  if (isPrivate === undefined) return spaces;
  // Legacy files were all public.
  return isPrivate ? ['private'] : ['public', 'legacy'];
}

async function readPage(deps: Deps, command: ListObjects, start: ListPosition | undefined): Promise<ListPage> {
  const objects: StoredObject[] = [];
  const folders: string[] = [];
  let skipped = 0;
  let position: ListPosition | undefined = start;
  for await (const entry of entries(deps, command, start)) {
    if (
      skipped === mostSkipped ||
      (entry.kind !== 'known-folder' && objects.length + folders.length === command.limit)
    ) {
      return { objects, folders, next: formatCursor(deps.secrets, position!, command satisfies CursorBinding) };
    }
    if (entry.kind === 'file') objects.push(entry.object);
    else if (entry.kind === 'folder') folders.push(entry.folder);
    else skipped++;
    position = entry.next;
  }
  return { objects, folders, next: undefined };
}

/** A folder can hold files of several spaces: it is listed with the first of them, and `known-folder` in the others. */
type Entry =
  | { readonly kind: 'file'; readonly object: StoredObject; readonly next: ListPosition }
  | { readonly kind: 'folder'; readonly folder: string; readonly next: ListPosition }
  | { readonly kind: 'known-folder'; readonly next: ListPosition };

/** A page ends early behind so many folders that were listed before, so that no request looks at all of very many. */
const mostSkipped = 1000;

/** After so long others get their turn: each folder is looked up by itself. */
const turnMs = 5;

/** With folders most of a large batch would be thrown away, so batches begin small and grow while only files come. */
const firstBatch = 8;

/** Files and folders in order, each with the position behind it. */
async function* entries(deps: Deps, command: ListObjects, start: ListPosition | undefined): AsyncGenerator<Entry> {
  const { metadata, clock } = deps;
  const { accountId, prefix, delimiter, limit } = command;
  const wanted = spacesOf(command.isPrivate);
  let since = performance.now();
  for (const space of start ? wanted.slice(wanted.indexOf(start.space)) : wanted) {
    let from = space === start?.space ? start.from : undefined;
    let isAtEnd = false;
    let batch = delimiter ? firstBatch : limit + 1;
    while (!isAtEnd) {
      const rows = await metadata.read.objects.scan({ accountId, space, prefix, limit: batch, ...(from && { from }) });
      isAtEnd = rows.length < batch;
      batch = Math.min(batch * 2, limit + 1);
      for (const object of rows) {
        from = { behind: object.key };
        if (isExpired(object, clock.now())) continue;
        const slash = delimiter ? object.key.indexOf('/', prefix.length) : -1;
        if (slash === -1) {
          yield { kind: 'file', object, next: { space, from } };
          continue;
        }
        // The next key outside of the folder is at or behind the folder's name with the character after the slash.
        from = { at: `${object.key.slice(0, slash)}0` };
        isAtEnd = false;
        batch = firstBatch;
        const folder = object.key.slice(0, slash + 1);
        const isKnown = await isInOneOf(deps, accountId, wanted.slice(0, wanted.indexOf(space)), folder);
        yield isKnown
          ? { kind: 'known-folder', next: { space, from } }
          : { kind: 'folder', folder, next: { space, from } };
        if (performance.now() - since > turnMs) {
          await nextTurn();
          since = performance.now();
        }
        break;
      }
    }
  }
}

/** Whether one of the spaces lists the folder: a file of it that has not expired lies there. */
async function isInOneOf(
  { metadata, clock }: Deps,
  accountId: string,
  some: readonly Space[],
  folder: string,
): Promise<boolean> {
  for (const space of some) {
    let from: ScanStart | undefined;
    for (let limit = 1; ; limit = Math.min(limit * 8, 1000)) {
      const rows = await metadata.read.objects.scan({ accountId, space, prefix: folder, limit, ...(from && { from }) });
      if (rows.some((object) => !isExpired(object, clock.now()))) return true;
      if (rows.length < limit) break;
      from = { behind: rows.at(-1)!.key };
    }
  }
  return false;
}
