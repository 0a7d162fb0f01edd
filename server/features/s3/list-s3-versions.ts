import { nextTurn } from '#server/event-loop.ts';
import type { Space } from '#server/domain/object-id.ts';
import { isExpired } from '#server/features/files/object.ts';
import { folderOf } from '#server/features/files/listing/scan-entries.ts';
import { successor } from '#server/domain/successor.ts';
import type { ListedObject, ScanStart } from '#server/features/files/table.ts';
import type { TrashedObject, TrashPlace } from '#server/features/files/trash-table.ts';
import type { Clock } from '#server/domain/ports/clock.ts';
import type { Reads } from '#server/domain/ports/metadata.ts';
import { keepingKeys, currentVersion, markerIdOf, versionOfMarker } from './versions.ts';

interface Deps {
  readonly metadata: Reads<'objects' | 'rules' | 'trash'>;
  readonly clock: Clock;
}

interface VersionScan {
  readonly accountId: string;
  readonly space: Space;
  readonly prefix: string;
  /** Empty: nothing is rolled up. */
  readonly delimiter: string;
  /** The list begins behind this key, or behind this version of it. */
  readonly keyMarker: string | undefined;
  readonly versionMarker: string | undefined;
  readonly limit: number;
}

/** A version or a delete marker, as lists show it. */
export interface ListedVersion {
  readonly key: string;
  readonly versionId: string;
  readonly isLatest: boolean;
  /** When it was written, or deleted. */
  readonly at: number;
  /** Undefined for a delete marker. */
  readonly file: Pick<ListedObject, 'etag' | 'sizeBytes' | 'checksum'> | undefined;
}

interface VersionPage {
  readonly versions: readonly ListedVersion[];
  readonly prefixes: readonly string[];
  /** The last entry, if more follow. A rolled up prefix has no version. */
  readonly next: { readonly key: string; readonly versionId: string | undefined } | undefined;
}

/** Sorts behind every version id. */
const behindAll = '~';

/** Files and versions that are read in one step. */
const stepRows = 200;

/** The rows of one of the two tables behind a place. It reads ahead, and can skip keys. */
class Stream<Row extends { readonly key: string }, Start> {
  #rows: readonly Row[] = [];
  #at = 0;
  #isAtEnd = false;
  #start: Start | undefined;
  readonly #read: (start: Start | undefined) => Promise<readonly Row[]>;
  readonly #behind: (row: Row) => Start;

  constructor(
    start: Start | undefined,
    read: (start: Start | undefined) => Promise<readonly Row[]>,
    behind: (row: Row) => Start,
  ) {
    this.#start = start;
    this.#read = read;
    this.#behind = behind;
  }

  async peek(): Promise<Row | undefined> {
    if (this.#at === this.#rows.length && !this.#isAtEnd) {
      this.#rows = await this.#read(this.#start);
      this.#at = 0;
      this.#isAtEnd = this.#rows.length < stepRows;
      const last = this.#rows.at(-1);
      if (last) this.#start = this.#behind(last);
    }
    return this.#rows[this.#at];
  }

  skip(): void {
    this.#at++;
  }

  jump(start: Start): void {
    [this.#rows, this.#at, this.#isAtEnd, this.#start] = [[], 0, false, start];
  }
}

/** Lists all versions and delete markers of a bucket, by key, and those of a key newest first. */
export async function listS3Versions(deps: Deps, scan: VersionScan): Promise<VersionPage> {
  const list = new VersionList(deps, scan, await keepingKeys(deps.metadata, scan.accountId));
  return list.page();
}

class VersionList {
  readonly #scan: VersionScan;
  readonly #isKept: (key: string) => boolean;
  readonly #now: number;
  readonly #files: Stream<ListedObject, ScanStart>;
  readonly #kept: Stream<TrashedObject, TrashPlace>;
  readonly #versions: ListedVersion[] = [];
  readonly #prefixes: string[] = [];
  #last: VersionPage['next'];

  constructor({ metadata, clock }: Deps, scan: VersionScan, isKept: (key: string) => boolean) {
    const { accountId, space, prefix } = scan;
    this.#scan = scan;
    this.#isKept = isKept;
    this.#now = clock.now();
    const start = startOf(scan);
    this.#files = new Stream(
      start?.files,
      (from) =>
        metadata.read.objects.scan({
          ...{ accountId, space, prefix, hasDetails: true, limit: stepRows },
          ...(from && { from }),
        }),
      ({ key }) => ({ behind: key }),
    );
    this.#kept = new Stream(
      start?.kept,
      (behind) => metadata.read.trash.scan({ accountId, space, prefix, behind, limit: stepRows }),
      ({ key, versionId }) => ({ key, versionId }),
    );
  }

  async page(): Promise<VersionPage> {
    // After the marker of a version comes the version itself.
    let skippedMarker = versionOfMarker(this.#scan.versionMarker ?? '');
    let since = performance.now();
    let key: string | undefined;
    while (this.#scan.limit > 0) {
      const [file, kept] = [await this.#files.peek(), await this.#kept.peek()];
      if (!file && !kept) break;
      const isFile = file !== undefined && (!kept || Buffer.compare(Buffer.from(file.key), Buffer.from(kept.key)) <= 0);
      const row = isFile ? file : kept!;
      const isOver = isFile ? isExpired(file, this.#now) : kept!.purgeAt <= this.#now;
      const folder = isOver ? undefined : folderOf(row.key, this.#scan.prefix, this.#scan.delimiter);
      if (folder !== undefined) {
        if (!this.#add(folder)) return this.#result(true);
        if (!this.#skipFolder(folder)) break;
        continue;
      }
      if (!isOver) {
        const entries = isFile ? [this.#current(file)] : this.#entriesOf(kept!, row.key !== key);
        for (const entry of entries) {
          if (skippedMarker === kept?.versionId && !entry.file) skippedMarker = undefined;
          else if (!this.#add(entry)) return this.#result(true);
        }
        key = row.key;
      }
      if (isFile) this.#files.skip();
      else this.#kept.skip();
      if (performance.now() - since > 5) {
        await nextTurn();
        since = performance.now();
      }
    }
    return this.#result(false);
  }

  #result(hasMore: boolean): VersionPage {
    return { versions: this.#versions, prefixes: this.#prefixes, next: hasMore ? this.#last : undefined };
  }

  /** Returns false if the page is full. */
  #add(entry: ListedVersion | string): boolean {
    if (this.#versions.length + this.#prefixes.length === this.#scan.limit) return false;
    if (typeof entry === 'string') this.#prefixes.push(entry);
    else this.#versions.push(entry);
    this.#last = typeof entry === 'string' ? { key: entry, versionId: undefined } : entry;
    return true;
  }

  /** Returns false if nothing can follow. */
  #skipFolder(folder: string): boolean {
    const at = successor(folder);
    if (at === undefined) return false;
    this.#files.jump({ at });
    this.#kept.jump({ key: at, versionId: behindAll });
    return true;
  }

  #current(file: ListedObject): ListedVersion {
    const versionId = this.#isKept(file.key) ? file.details!.versionId : currentVersion;
    return { key: file.key, versionId, isLatest: true, at: file.createdAt, file };
  }

  /** @param isFirst whether the page has nothing newer of this key */
  #entriesOf(kept: TrashedObject, isFirst: boolean): ListedVersion[] {
    const { key, versionId, createdAt, deletedAt, clientProperties } = kept;
    const isNewest = isFirst && (this.#scan.keyMarker !== key || !this.#scan.versionMarker);
    const file = { ...kept, checksum: clientProperties?.checksum ?? null };
    const version = { key, versionId, isLatest: false, at: createdAt, file };
    if (kept.reason === 'replaced') return [version];
    return [{ key, versionId: markerIdOf(kept), isLatest: isNewest, at: deletedAt, file: undefined }, version];
  }
}

/** Returns where each table is read from. A marker that is a rolled up prefix stands for all keys below it. */
function startOf({
  prefix,
  delimiter,
  keyMarker,
  versionMarker,
}: VersionScan): { readonly files: ScanStart; readonly kept: TrashPlace } | undefined {
  if (!keyMarker) return undefined;
  const isFolder = keyMarker.startsWith(prefix) && folderOf(keyMarker, prefix, delimiter) === keyMarker;
  const at = isFolder ? successor(keyMarker) : undefined;
  if (at !== undefined) return { files: { at }, kept: { key: at, versionId: behindAll } };
  return { files: { behind: keyMarker }, kept: { key: keyMarker, versionId: keptBehind(versionMarker) } };
}

function keptBehind(versionMarker: string | undefined): string {
  if (!versionMarker) return '';
  if (versionMarker === currentVersion) return behindAll;
  // The version of a delete marker follows it. `-` sorts before the letters and digits of ids.
  const marked = versionOfMarker(versionMarker);
  return marked === undefined ? versionMarker : `${marked}-`;
}
