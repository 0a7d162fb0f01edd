import type { Space } from '../object-id.ts';
import { isExpired, type StoredObject } from '../objects/object.ts';
import type { ScanStart } from '../objects/table.ts';
import type { Clock } from '../ports/clock.ts';
import type { Reads } from '../ports/metadata.ts';

interface Deps {
  readonly metadata: Reads<'objects'>;
  readonly clock: Clock;
}

export interface ListS3Objects {
  readonly accountId: string;
  readonly space: Space;
  /** Any leading part of a key; '' for all. */
  readonly prefix: string;
  /** Rolls up what has this behind the prefix; '' rolls up nothing. */
  readonly delimiter: string;
  readonly from: ScanStart | undefined;
  /** Files and prefixes together. */
  readonly limit: number;
}

/** A page of one bucket, in byte order of the keys. */
export interface S3ListPage {
  readonly objects: readonly StoredObject[];
  /** What was rolled up, each once, with its delimiter. */
  readonly prefixes: readonly string[];
  /** The last key or prefix of the page; undefined when it is empty. */
  readonly last: string | undefined;
  /** Where the next page begins; undefined on the last one. */
  readonly next: ScanStart | undefined;
}

/**
 * With a delimiter most of a large batch would be thrown away, so batches begin small and grow while only files come.
 */
const firstBatch = 8;

/** One page of a bucket. What is rolled up is skipped in one step, however many files it holds. */
export async function listS3Objects(deps: Deps, command: ListS3Objects): Promise<S3ListPage> {
  const { limit } = command;
  const objects: StoredObject[] = [];
  const prefixes: string[] = [];
  let last: string | undefined;
  let next: ScanStart | undefined;
  if (limit === 0) return { objects, prefixes, last, next };
  for await (const entry of entries(deps, command)) {
    if (objects.length + prefixes.length === limit) return { objects, prefixes, last, next };
    if ('object' in entry) objects.push(entry.object);
    else prefixes.push(entry.prefix);
    last = 'object' in entry ? entry.object.key : entry.prefix;
    next = entry.next;
  }
  return { objects, prefixes, last, next: undefined };
}

type Entry = ({ readonly object: StoredObject } | { readonly prefix: string }) & { readonly next: ScanStart };

async function* entries(
  { metadata, clock }: Deps,
  { accountId, space, prefix, delimiter, from: start, limit }: ListS3Objects,
): AsyncGenerator<Entry> {
  let from = start && skipRolledUp(start, prefix, delimiter);
  let batch = delimiter === '' ? limit + 1 : firstBatch;
  for (let isAtEnd = false; !isAtEnd;) {
    const rows = await metadata.read.objects.scan({ accountId, space, prefix, limit: batch, ...(from && { from }) });
    isAtEnd = rows.length < batch;
    batch = Math.min(batch * 2, limit + 1);
    for (const object of rows) {
      from = { behind: object.key };
      if (isExpired(object, clock.now())) continue;
      const rolled = rolledUp(object.key, prefix, delimiter);
      if (rolled === undefined) {
        yield { object, next: from };
        continue;
      }
      const behind = successor(rolled);
      // Nothing can lie behind the very last code point.
      if (behind === undefined) return yield { prefix: rolled, next: from };
      from = { at: behind };
      isAtEnd = false;
      batch = Math.min(firstBatch, limit + 1);
      yield { prefix: rolled, next: from };
      break;
    }
  }
}

/** The part of a key up to the first delimiter behind the prefix; undefined where there is none. */
function rolledUp(key: string, prefix: string, delimiter: string): string | undefined {
  const at = delimiter === '' ? -1 : key.indexOf(delimiter, prefix.length);
  return at === -1 ? undefined : key.slice(0, at + delimiter.length);
}

/** A marker that is itself what was rolled up last, as the next marker of a page is, stands for everything in it. */
function skipRolledUp(start: ScanStart, prefix: string, delimiter: string): ScanStart {
  if (
    !('behind' in start) ||
    !start.behind.startsWith(prefix) ||
    rolledUp(start.behind, prefix, delimiter) !== start.behind
  )
    return start;
  const behind = successor(start.behind);
  return behind === undefined ? start : { at: behind };
}

/** The first text, in byte order of UTF-8, behind all that begin with this one; undefined where there is none. */
function successor(text: string): string | undefined {
  const points = [...text].map((character) => character.codePointAt(0)!);
  while (points.at(-1) === 0x10ffff) points.pop();
  const last = points.pop();
  if (last === undefined) return undefined;
  // Surrogates are no characters of their own.
  points.push(last === 0xd7ff ? 0xe000 : last + 1);
  return String.fromCodePoint(...points);
}
