import { inSteps } from '#server/domain/in-steps.ts';
import { nextTurn } from '#server/event-loop.ts';
import { spaces, type Space } from '#server/domain/object-id.ts';
import type { Clock } from '#server/domain/ports/clock.ts';
import type { Reads } from '#server/domain/ports/metadata.ts';
import { isShown, type ListFilters } from './list-filters.ts';
import { isExpired } from '../object.ts';
import type { ListedObject, ListSort, SortedPlace, ValueScan } from '../table.ts';

interface Deps {
  readonly metadata: Reads<'objects'>;
  readonly clock: Clock;
}

/** A list that is not in ascending order of the keys. It has no folders. */
interface SortedList {
  readonly accountId: string;
  readonly sort: ListSort;
  readonly isDescending: boolean;
  readonly prefix: string;
  readonly spaces: readonly Space[];
  /** Only keys without a slash behind the prefix. */
  readonly isFlat: boolean;
  readonly filters: ListFilters;
  /** Whether files are read with their details. */
  readonly hasDetails: boolean;
  readonly limit: number;
  readonly from: SortedPlace | undefined;
}

interface SortedPage {
  readonly objects: readonly ListedObject[];
  /** The place behind which the next page begins. Undefined on the last page. */
  readonly next: SortedPlace | undefined;
}

/**
 * A page ends early after this many rows, so that no request reads a million to show a few. The rows of one step are
 * read without a turn for others.
 */
export const mostReadRows = 10_000;
const rowsOfStep = 500;

/** Reads one page and leaves out what the list does not show. */
export async function sortedPage(deps: Deps, list: SortedList): Promise<SortedPage> {
  const objects: ListedObject[] = [];
  let place = list.from;
  let read = 0;
  for await (const rows of list.sort === 'name' ? namesDown(deps, list) : byValue(deps, list, list.sort)) {
    for (const row of rows) {
      if (isIn(row, list, deps.clock.now()) && isShown(row, list.filters)) {
        if (objects.length === list.limit) return { objects, next: place };
        objects.push(row);
      }
      place = placeOf(row, list.sort);
    }
    read += rows.length;
    if (read >= mostReadRows) return { objects, next: place };
    await nextTurn();
  }
  return { objects, next: undefined };
}

function isIn(row: ListedObject, list: SortedList, now: number): boolean {
  if (!list.spaces.includes(row.space) || !row.key.startsWith(list.prefix) || isExpired(row, now)) return false;
  return !list.isFlat || !row.key.includes('/', list.prefix.length);
}

/** The place of a file, with the value that it is sorted by. Names are sorted by their place alone. */
function placeOf({ space, key, sizeBytes, createdAt }: ListedObject, sort: ListSort): SortedPlace {
  return { value: sort === 'size' ? sizeBytes : sort === 'created' ? createdAt : 0, space, key };
}

/** Reads the files of all spaces by a number, without those outside of its bounds. */
function byValue({ metadata }: Deps, list: SortedList, sort: ValueScan['sort']) {
  const { accountId, isDescending, hasDetails, filters } = list;
  const { minBytes, maxBytes, createdFrom, createdBefore } = filters;
  const [least, most] = sort === 'size' ? [minBytes, maxBytes] : [createdFrom, createdBefore && createdBefore - 1];
  const scan = { accountId, sort, isDescending, hasDetails, least, most };
  return inSteps<ListedObject>(rowsOfStep, (last, limit) =>
    metadata.read.objects.scanByValue({ ...scan, behind: last ? placeOf(last, sort) : list.from, limit }),
  );
}

/** Reads the files with the prefix by their keys, from the last to the first, in the reverse order of the spaces. */
async function* namesDown({ metadata }: Deps, { accountId, prefix, hasDetails, from, ...list }: SortedList) {
  for (const space of spaces.toReversed()) {
    const isPassed = from !== undefined && spaces.indexOf(space) > spaces.indexOf(from.space);
    if (isPassed || !list.spaces.includes(space)) continue;
    const first = from?.space === space ? from.key : undefined;
    yield* inSteps<ListedObject>(rowsOfStep, (last, limit) =>
      metadata.read.objects.scanDown({ accountId, space, prefix, hasDetails, before: last?.key ?? first, limit }),
    );
  }
}
