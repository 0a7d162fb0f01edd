import type { StoredObject } from '../objects/object.ts';
import { scanEntries, type EntryScan } from '../objects/scan-entries.ts';
import type { ScanStart } from '../objects/table.ts';
import type { Clock } from '../ports/clock.ts';
import type { Reads } from '../ports/metadata.ts';

interface Deps {
  readonly metadata: Reads<'objects'>;
  readonly clock: Clock;
}

/** A page of one bucket, in byte order of the keys. */
export interface S3ListPage {
  readonly objects: readonly StoredObject[];
  /** The prefixes that were rolled up, each once, with its delimiter. */
  readonly prefixes: readonly string[];
  /** The last key or prefix of the page. Undefined if the page is empty. */
  readonly last: string | undefined;
  /** The position where the next page begins. Undefined on the last one. */
  readonly next: ScanStart | undefined;
}

/** Reads one page of a bucket: files and prefixes together, up to the limit of the scan. */
export async function listS3Objects(deps: Deps, scan: EntryScan): Promise<S3ListPage> {
  const objects: StoredObject[] = [];
  const prefixes: string[] = [];
  let last: string | undefined;
  let next: ScanStart | undefined;
  if (scan.limit === 0) return { objects, prefixes, last, next };
  for await (const entry of scanEntries(deps, scan)) {
    if (objects.length + prefixes.length === scan.limit) return { objects, prefixes, last, next };
    if ('object' in entry) objects.push(entry.object);
    else prefixes.push(entry.folder);
    last = 'object' in entry ? entry.object.key : entry.folder;
    next = entry.next;
  }
  return { objects, prefixes, last, next: undefined };
}
