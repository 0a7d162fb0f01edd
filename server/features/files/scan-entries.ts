import { nextTurn } from '#server/event-loop.ts';
import type { Clock } from '#server/domain/ports/clock.ts';
import type { Reads } from '#server/domain/ports/metadata.ts';
import { isExpired } from './object.ts';
import { successor } from '#server/domain/successor.ts';
import type { ListedObject, ObjectScan, ScanStart } from './table.ts';

interface Deps {
  readonly metadata: Reads<'objects'>;
  readonly clock: Clock;
}

/** A list of one space, in byte order of the keys. */
export interface EntryScan extends Pick<ObjectScan, 'accountId' | 'space' | 'prefix'> {
  /** Keys that have this text behind the prefix are rolled up to one folder. Empty: nothing is rolled up. */
  readonly delimiter: string;
  readonly from: ScanStart | undefined;
  readonly hasDetails?: boolean;
  /** The most entries that the caller wants. It bounds how many rows are read at a time. */
  readonly limit: number;
}

/** The common start of the keys that are rolled up, with its delimiter. */
interface ListedFolder {
  readonly folder: string;
  /** The position where the list continues behind the folder. */
  readonly next: ScanStart;
}

export type ListEntry = ListedObject | ListedFolder;

/** Returns the position where a list continues behind an entry. */
export function positionBehind(entry: ListEntry): ScanStart {
  return 'folder' in entry ? entry.next : { behind: entry.key };
}

/**
 * With a delimiter most of a large batch would be discarded. So batches begin small, and grow as long as only files
 * come.
 */
const firstBatch = 8;

/** Each folder ends a batch, so a page may read many. Other work gets a turn after this time. */
const turnMs = 5;

/**
 * Lists the files and folders of one space, in batches. A folder is skipped in one step, however many files it holds.
 */
export async function* scanEntries({ metadata, clock }: Deps, scan: EntryScan): AsyncGenerator<readonly ListEntry[]> {
  const { accountId, space, prefix, delimiter, hasDetails = false, limit } = scan;
  let from = scan.from && skipFolder(scan.from, prefix, delimiter);
  let batch = delimiter === '' ? limit + 1 : firstBatch;
  let since = performance.now();
  for (let isAtEnd = false; !isAtEnd;) {
    const rows = await metadata.read.objects.scan({
      ...{ accountId, space, prefix, hasDetails, limit: batch },
      ...(from && { from }),
    });
    const entries = entriesOf(rows, scan, clock.now());
    const last = entries.at(-1);
    if (last && 'folder' in last) {
      isAtEnd = 'behind' in last.next;
      from = last.next;
      batch = Math.min(firstBatch, limit + 1);
    } else {
      isAtEnd = rows.length < batch;
      from = rows.length > 0 ? { behind: rows.at(-1)!.key } : from;
      batch = Math.min(batch * 2, limit + 1);
    }
    yield entries;
    if (!isAtEnd && performance.now() - since > turnMs) {
      await nextTurn();
      since = performance.now();
    }
  }
}

/** Returns the files that have not expired, up to the first folder, and that folder. */
function entriesOf(
  rows: readonly ListedObject[],
  { prefix, delimiter }: Pick<EntryScan, 'prefix' | 'delimiter'>,
  now: number,
): ListEntry[] {
  const entries: ListEntry[] = [];
  for (const object of rows) {
    if (isExpired(object, now)) continue;
    const folder = folderOf(object.key, prefix, delimiter);
    if (folder !== undefined) {
      const at = successor(folder);
      // No key lies behind the very last code point.
      entries.push({ folder, next: at === undefined ? { behind: object.key } : { at } });
      return entries;
    }
    entries.push(object);
  }
  return entries;
}

/** Returns the part of a key up to the first delimiter behind the prefix, or undefined without one. */
export function folderOf(key: string, prefix: string, delimiter: string): string | undefined {
  const at = delimiter === '' ? -1 : key.indexOf(delimiter, prefix.length);
  return at === -1 ? undefined : key.slice(0, at + delimiter.length);
}

/** Returns the position behind a folder if the start is itself a folder, such as the last entry of a page. */
function skipFolder(start: ScanStart, prefix: string, delimiter: string): ScanStart {
  if (!('behind' in start) || !start.behind.startsWith(prefix)) return start;
  const at = folderOf(start.behind, prefix, delimiter) === start.behind ? successor(start.behind) : undefined;
  return at === undefined ? start : { at };
}
