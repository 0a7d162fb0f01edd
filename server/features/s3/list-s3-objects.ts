import {
  positionBehind,
  scanEntries,
  type EntryScan,
  type ListEntry,
} from '#server/features/files/listing/scan-entries.ts';
import type { ListedObject, ScanStart } from '#server/features/files/table.ts';
import type { Clock } from '#server/domain/ports/clock.ts';
import type { Reads } from '#server/domain/ports/metadata.ts';

interface Deps {
  readonly metadata: Reads<'objects'>;
  readonly clock: Clock;
}

/** A page of one bucket, in byte order of the keys. */
export interface S3ListPage {
  readonly objects: readonly ListedObject[];
  /** The prefixes that were rolled up, each once, with its delimiter. */
  readonly prefixes: readonly string[];
  /** The last key or prefix of the page. Undefined if the page is empty. */
  readonly last: string | undefined;
  /** The position where the next page begins. Undefined on the last one. */
  readonly next: ScanStart | undefined;
}

/** Reads one page of a bucket: files and prefixes together, up to the limit of the scan. */
export async function listS3Objects(deps: Deps, scan: EntryScan): Promise<S3ListPage> {
  const objects: ListedObject[] = [];
  const prefixes: string[] = [];
  let last: ListEntry | undefined;
  const page = (next: ScanStart | undefined): S3ListPage => ({ objects, prefixes, last: last && nameOf(last), next });
  if (scan.limit === 0) return page(undefined);
  for await (const entries of scanEntries(deps, scan)) {
    for (const entry of entries) {
      if (objects.length + prefixes.length === scan.limit) return page(positionBehind(last!));
      if ('folder' in entry) prefixes.push(entry.folder);
      else objects.push(entry);
      last = entry;
    }
  }
  return page(undefined);
}

function nameOf(entry: ListEntry): string {
  return 'folder' in entry ? entry.folder : entry.key;
}
