import { maxListPrefixBytes } from '../limits.ts';
import { spaces, type Space } from '../object-id.ts';
import type { Clock } from '../ports/clock.ts';
import type { Reads } from '../ports/metadata.ts';
import type { Secrets } from '../ports/secrets.ts';
import { Refusal } from '../refusal.ts';
import { failedAs } from '../failed-as.ts';
import { formatCursor, parseCursor, type CursorBinding, type ListPosition } from './list-cursor.ts';
import type { ListPage, ListPages } from './list-pages.ts';
import { isExpired } from './object.ts';
import { isAtPublicUrl } from './public-url.ts';
import { positionBehind, scanEntries } from './scan-entries.ts';
import type { ListedObject, ScanStart } from './table.ts';

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
}

/** A page ends early after this many folders that an earlier space has listed, so that no request reads very many. */
const mostSkipped = 1000;

/**
 * Reads one page of an account's files: public, private, legacy, each in byte order of the keys.
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
  if (Buffer.byteLength(command.prefix) > maxListPrefixBytes) throw new Refusal('INVALID_OBJECT_PREFIX');
  const position = command.cursor === undefined ? undefined : parseCursor(deps.secrets, command.cursor, command);
  return cachedPage(deps, command, position, render).catch(failedAs('LIST_FAILED'));
}

async function cachedPage<Rendered>(
  deps: Deps<Rendered>,
  command: ListObjects,
  start: ListPosition | undefined,
  render: (page: ListPage) => Rendered,
): Promise<Rendered> {
  const { accountId, prefix, isPrivate, delimiter, limit, cursor } = command;
  const account = await deps.metadata.read.accounts.find(accountId);
  const now = deps.clock.now();
  const key = JSON.stringify([account?.revision, accountId, prefix, isPrivate, delimiter, limit, cursor]);
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
  const entries = await readEntries(deps, command, start);
  const legacy = entries.objects.filter(({ space }) => space === 'legacy');
  const isHidden = await Promise.all(legacy.map(async (object) => !(await isAtPublicUrl(deps, object))));
  return { ...entries, hiddenKeys: legacy.filter((_, at) => isHidden[at]).map(({ key }) => key) };
}

async function readEntries(
  deps: ReadDeps,
  command: ListObjects,
  start: ListPosition | undefined,
): Promise<Omit<ListPage, 'hiddenKeys'>> {
  const { accountId, prefix, limit } = command;
  const delimiter = command.delimiter ? '/' : '';
  const wanted = spacesOf(command.isPrivate);
  const objects: ListedObject[] = [];
  const folders: string[] = [];
  let skipped = 0;
  let position = start;
  for (const space of start ? wanted.slice(wanted.indexOf(start.space)) : wanted) {
    const from = space === start?.space ? start.from : undefined;
    const before = wanted.slice(0, wanted.indexOf(space));
    for await (const entries of scanEntries(deps, { accountId, space, prefix, delimiter, from, limit })) {
      for (const entry of entries) {
        // A folder with files in several spaces is listed in the first of them.
        const isKnown = 'folder' in entry && (await isInOneOf(deps, accountId, before, entry.folder));
        if (skipped === mostSkipped || (!isKnown && objects.length + folders.length === limit))
          return { objects, folders, next: formatCursor(deps.secrets, position!, command) };
        if (!('folder' in entry)) objects.push(entry);
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
