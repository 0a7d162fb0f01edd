import { listObjects } from '#dist/modules/client/index.js';

import { ask } from '../../app/api.ts';
import { accountSession } from '../../app/session-state.ts';
import { allowedFolders } from './allowed-folders.ts';
import { entriesOf, folderEntry } from './entry.ts';
import { folderQuery } from './folder-query.ts';
import type { LoadedPage } from './listing-pages.ts';
import { awaitTurn, noteLimit } from './list-pace.ts';
import type { Place } from './place.ts';

type Query = NonNullable<NonNullable<Parameters<typeof listObjects>[0]>['query']>;

/** What a list shows of a folder, and in which order. */
export interface Filter {
  readonly sort: 'name' | 'size' | 'created';
  readonly order: 'asc' | 'desc';
  readonly kind: NonNullable<Query['kind']> | undefined;
  /** Names that begin with this. */
  readonly begins: string;
}

/** The cursor of the first page of files, after the folders of a sorted list. */
const afterFolders = '';

/**
 * Loads one page of a folder. A list that is not in the order of names has its folders on a page before the files,
 * because the server sorts only files.
 *
 * @throws {ApiError}
 */
export async function loadPage(
  place: Place,
  filter: Filter,
  cursor: string | undefined,
  signal: AbortSignal,
): Promise<LoadedPage> {
  const allowed = allowedFolders(accountSession().prefixes, place.prefix);
  if (allowed) return { entries: allowed.map(folderEntry), next: undefined };
  const isPlain = filter.sort === 'name' && filter.order === 'asc';
  const where = folderQuery(place, filter.begins);
  if (!isPlain && cursor === undefined) return { entries: await foldersOf(where, signal), next: afterFolders };
  const page = await listPage(
    {
      ...where,
      ...(!isPlain && { sort: filter.sort, order: filter.order }),
      ...(filter.kind && { kind: filter.kind }),
      ...(cursor !== undefined && cursor !== afterFolders && { cursor }),
    },
    signal,
  );
  return { entries: entriesOf(page), next: page.continuationToken };
}

/** Pages that are looked through for folders. */
const mostFolderPages = 3;

async function foldersOf(where: Query, signal: AbortSignal) {
  const folders: string[] = [];
  let cursor: string | undefined;
  for (let page = 0; page < mostFolderPages; page++) {
    const { folders: found = [], continuationToken } = await listPage({ ...where, ...(cursor && { cursor }) }, signal);
    folders.push(...found);
    cursor = continuationToken;
    if (cursor === undefined) break;
  }
  return [...new Set(folders)].sort().map(folderEntry);
}

/** Lists files, at most as fast as the server allows. @throws {ApiError} */
export async function listPage(query: Query, signal: AbortSignal) {
  await awaitTurn(signal);
  const call = listObjects({ query, signal });
  const page = await ask(call);
  noteLimit((await call).response?.headers.get('RateLimit') ?? null);
  return page;
}
