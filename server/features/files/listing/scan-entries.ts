import { nextTurn } from '#server/event-loop.ts';
import type { Clock } from '#server/domain/ports/clock.ts';
import type { Reads } from '#server/domain/ports/metadata.ts';
import { isExpired } from '../object.ts';
import { successor } from '#server/domain/successor.ts';
import type { ListedObject, ObjectScan, ScanStart } from '../table.ts';

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

/** What was read at once, and where the list continues. Undefined: nowhere. */
interface Batch {
  readonly entries: readonly ListEntry[];
  readonly next: ScanStart | undefined;
}

type ReadBatch = (deps: Deps, scan: EntryScan, from: ScanStart | undefined, size: number) => Promise<Batch>;

/**
 * Files as they lie are read in batches that begin small, because a folder ends its batch, and grow as long as only
 * files come. Behind a folder every entry is looked up by itself, so a page of folders takes two or three statements.
 */
const firstSize = { asTheyLie: 8, rolledUp: 256 };

/** With fewer folders among so many entries, files are read as they lie again. */
const fewFolders = 1 / 8;

/** A page may read many batches. Other work gets a turn after this time. */
const turnMs = 5;

/**
 * Lists the files and folders of one space, in batches. A folder is skipped in one step, however many files it holds.
 */
export async function* scanEntries(deps: Deps, scan: EntryScan): AsyncGenerator<readonly ListEntry[]> {
  const { prefix, delimiter, limit } = scan;
  let from = scan.from && skipFolder(scan.from, prefix, delimiter);
  let read: ReadBatch = asTheyLie;
  let size = delimiter === '' ? limit + 1 : firstSize.asTheyLie;
  // PostgreSQL writes U+0000 and U+F0000 as two characters, of which the second is 0 or 1.
  const isRollable = successor(delimiter) !== undefined && !/^[01]/.test(delimiter);
  let since = performance.now();
  for (;;) {
    const { entries, next } = await read(deps, scan, from, Math.min(size, limit + 1));
    yield entries;
    if (next === undefined) return;
    from = next;
    const folders = entries.filter((entry) => 'folder' in entry).length;
    if (read === rolledUp) {
      if (folders > fewFolders * entries.length) size *= 4;
      else [read, size] = [asTheyLie, firstSize.asTheyLie];
    } else if (folders === 0) size *= 2;
    else if (isRollable) [read, size] = [rolledUp, firstSize.rolledUp];
    else size = firstSize.asTheyLie;
    if (performance.now() - since > turnMs) {
      await nextTurn();
      since = performance.now();
    }
  }
}

/** Reads the next files, up to the first folder. */
async function asTheyLie(
  { metadata, clock }: Deps,
  { accountId, space, prefix, delimiter, hasDetails = false }: EntryScan,
  from: ScanStart | undefined,
  size: number,
): Promise<Batch> {
  const rows = await metadata.read.objects.scan({
    ...{ accountId, space, prefix, hasDetails, limit: size },
    ...(from && { from }),
  });
  const now = clock.now();
  const entries: ListEntry[] = [];
  for (const object of rows) {
    if (isExpired(object, now)) continue;
    const entry = entryOf(object, prefix, delimiter);
    entries.push(entry);
    if ('folder' in entry) return { entries, next: 'at' in entry.next ? entry.next : undefined };
  }
  return { entries, next: rows.length < size ? undefined : { behind: rows.at(-1)!.key } };
}

/** Reads the next files and folders. */
async function rolledUp(
  { metadata, clock }: Deps,
  { accountId, space, prefix, delimiter, hasDetails = false }: EntryScan,
  from: ScanStart | undefined,
  size: number,
): Promise<Batch> {
  const now = clock.now();
  const rows = await metadata.read.objects.scanRolledUp({
    ...{ accountId, space, prefix, delimiter, hasDetails, limit: size, now },
    from: from ?? { at: prefix },
  });
  const entries = rows.filter((one) => !isExpired(one, now)).map((one) => entryOf(one, prefix, delimiter));
  const last = rows.at(-1);
  if (!last || rows.length < size) return { entries, next: undefined };
  return { entries, next: isExpired(last, now) ? { behind: last.key } : positionBehind(entries.at(-1)!) };
}

/** Returns a file, or the folder that it is rolled up to. */
function entryOf(object: ListedObject, prefix: string, delimiter: string): ListEntry {
  const folder = folderOf(object.key, prefix, delimiter);
  if (folder === undefined) return object;
  const at = successor(folder);
  // No key lies behind the very last code point.
  return { folder, next: at === undefined ? { behind: object.key } : { at } };
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
