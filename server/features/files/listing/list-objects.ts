import { spaces, type Space } from '#server/domain/object-id.ts';
import type { Clock } from '#server/domain/ports/clock.ts';
import type { Reads } from '#server/domain/ports/metadata.ts';
import type { Secrets } from '#server/domain/ports/secrets.ts';
import { requireListPrefix } from '#server/domain/prefixes.ts';
import { failedAs } from '#server/domain/failed-as.ts';
import { formatCursor, parseCursor, type CursorBinding, type ListPosition, type NamePosition } from './list-cursor.ts';
import { isShown } from './list-filters.ts';
import type { ListPage, ListPages } from './list-pages.ts';
import { mostReadRows, sortedPage } from './list-sorted.ts';
import { isExpired } from '../object.ts';
import { isAtPublicUrl } from '../public-url.ts';
import { positionBehind, scanEntries } from './scan-entries.ts';
import type { ListedObject, ScanStart, SortedPlace } from '../table.ts';

interface ReadDeps {
  readonly metadata: Reads<'accounts' | 'objects'>;
  readonly secrets: Pick<Secrets, 'sign' | 'verify'>;
  readonly clock: Clock;
}

interface Deps<Rendered> extends ReadDeps {
  readonly pages: ListPages<Rendered>;
}

export interface ListObjects extends CursorBinding {
  /** Files and folders together, 1 to 1000. */
  readonly limit: number;
  readonly cursor: string | undefined;
  /** Whether the files come with their details. */
  readonly hasDetails: boolean;
  /** Names the form of the page, because each form is cached by itself. */
  readonly form?: string;
}

/** Folders that are looked for in earlier spaces at the same time. They travel together. */
const lookedUpAtOnce = 100;

/** A page ends early after this many folders that an earlier space has listed, so that no request reads very many. */
const mostSkipped = 1000;

/**
 * Reads one page of an account's files: public, private, legacy, each in byte order of the keys, or in another order.
 * The page may come from a cache, but any change to the account's files makes it stale at once.
 *
 * @param render writes a page in the form that is returned and cached. It must depend on nothing else that changes
 * @throws INVALID_OBJECT_PREFIX, INVALID_CONTINUATION_TOKEN, LIST_FAILED
 */
export async function listObjects<Rendered>(
  deps: Deps<Rendered>,
  command: ListObjects,
  render: (page: ListPage) => Rendered,
): Promise<Rendered> {
  requireListPrefix(command.prefix);
  const position = command.cursor === undefined ? undefined : parseCursor(deps.secrets, command.cursor, command);
  return cachedPage(deps, command, position, render).catch(failedAs('LIST_FAILED'));
}

async function cachedPage<Rendered>(
  deps: Deps<Rendered>,
  command: ListObjects,
  start: ListPosition | undefined,
  render: (page: ListPage) => Rendered,
): Promise<Rendered> {
  const { accountId, prefix, isPrivate, delimiter, sort, isDescending, filters, form = '', limit, cursor } = command;
  const account = await deps.metadata.read.accounts.find(accountId);
  const now = deps.clock.now();
  const key = JSON.stringify([
    ...[account?.revision, accountId, prefix, isPrivate, delimiter, limit, cursor],
    ...[sort, isDescending, filters, form],
  ]);
  const cached = deps.pages.get(key, now);
  if (cached) return cached;
  const page = await readPage(deps, command, start);
  const rendered = render(page);
  const goodUntil = goodUntilOf(page, now);
  if (goodUntil !== undefined) deps.pages.set(key, rendered, goodUntil);
  return rendered;
}

/** A page is cached for 30 minutes. */
const maxCachedMs = 30 * 60_000;

/**
 * Returns the instant until which a page stays the same while no file changes. Undefined if this is not known: folders
 * may hide files that expire, and a legacy file gets its URL back when the public file expires.
 */
function goodUntilOf({ objects, folders, hiddenKeys }: ListPage, now: number): number | undefined {
  if (folders.length > 0 || hiddenKeys.length > 0) return undefined;
  return objects.reduce((soonest, { expiresAt }) => Math.min(soonest, expiresAt ?? soonest), now + maxCachedMs);
}

function spacesOf(isPrivate: boolean | undefined): readonly Space[] {
  if (isPrivate === undefined) return spaces;
  // Legacy files were all public.
  return isPrivate ? ['private'] : ['public', 'legacy'];
}

async function readPage(deps: ReadDeps, command: ListObjects, start: ListPosition | undefined): Promise<ListPage> {
  const isByNames = command.sort === 'name' && !command.isDescending;
  const entries = isByNames
    ? await readEntries(deps, command, start && 'space' in start ? start : undefined)
    : await readSorted(deps, command, start && 'behind' in start ? start.behind : undefined);
  const legacy = entries.objects.filter(({ space }) => space === 'legacy');
  const isHidden = await Promise.all(legacy.map(async (object) => !(await isAtPublicUrl(deps, object))));
  return { ...entries, hiddenKeys: legacy.filter((_, at) => isHidden[at]).map(({ key }) => key) };
}

type Entries = Omit<ListPage, 'hiddenKeys'>;

async function readSorted(deps: ReadDeps, command: ListObjects, from: SortedPlace | undefined): Promise<Entries> {
  const { isPrivate, delimiter: isFlat } = command;
  const page = await sortedPage(deps, { ...withReadDetails(command), spaces: spacesOf(isPrivate), isFlat, from });
  const next = page.next && formatCursor(deps.secrets, { behind: page.next }, command);
  return { objects: page.objects, folders: [], next };
}

/** A condition on metadata reads it too. */
function withReadDetails(command: ListObjects): ListObjects {
  return command.filters.metadata ? { ...command, hasDetails: true } : command;
}

async function readEntries(deps: ReadDeps, command: ListObjects, start: NamePosition | undefined): Promise<Entries> {
  const { accountId, prefix, filters, hasDetails, limit } = withReadDetails(command);
  const delimiter = command.delimiter ? '/' : '';
  const wanted = spacesOf(command.isPrivate);
  const objects: ListedObject[] = [];
  const folders: string[] = [];
  let [skipped, filtered] = [0, 0];
  let position = start;
  for (const space of start ? wanted.slice(wanted.indexOf(start.space)) : wanted) {
    const from = space === start?.space ? start.from : undefined;
    const before = wanted.slice(0, wanted.indexOf(space));
    for await (const entries of scanEntries(deps, { accountId, space, prefix, delimiter, from, hasDetails, limit })) {
      let areKnown: readonly boolean[] = [];
      for (const [at, entry] of entries.entries()) {
        const isLeftOut = !('folder' in entry) && !isShown(entry, filters);
        // A folder with files in several spaces is listed in the first of them.
        if (at % lookedUpAtOnce === 0)
          areKnown = await Promise.all(
            entries
              .slice(at, at + lookedUpAtOnce)
              .map(async (one) => 'folder' in one && isInOneOf(deps, accountId, before, one.folder)),
          );
        const isKnown = areKnown[at % lookedUpAtOnce]!;
        const isFull = !isKnown && !isLeftOut && objects.length + folders.length === limit;
        if (skipped === mostSkipped || filtered === mostReadRows || isFull)
          return { objects, folders, next: formatCursor(deps.secrets, position!, command) };
        if (isLeftOut) filtered++;
        else if (!('folder' in entry)) objects.push(entry);
        else if (isKnown) skipped++;
        else folders.push(entry.folder);
        position = { space, from: positionBehind(entry) };
      }
    }
  }
  return { objects, folders, next: undefined };
}

/** Whether one of the spaces lists the folder, because the folder holds a file there that has not expired. */
async function isInOneOf(
  { metadata, clock }: ReadDeps,
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
