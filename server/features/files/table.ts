import type { Checksum } from '#server/domain/checksums/algorithms.ts';
import type { ObjectAddress, Space } from '#server/domain/object-id.ts';
import type { StoredObject } from './object.ts';

/** The tables that change with a file's row. */
export type FileTables =
  | 'accounts'
  | 'activity'
  | 'contents'
  | 'events'
  | 'linksOfFile'
  | 'objects'
  | 'rules'
  | 'trash';

export type ScanStart = { readonly behind: string } | { readonly at: string };

/** One step through an account's files, in byte order of their keys. */
export interface ObjectScan {
  readonly accountId: string;
  readonly space: Space;
  /** Only keys that begin with it. Empty for all. */
  readonly prefix: string;
  /** The start, in byte order of the keys' UTF-8: behind a key, or at one. Default: the first key. */
  readonly from?: ScanStart;
  /** Whether files are read with their details. */
  readonly hasDetails?: boolean;
  readonly limit: number;
}

/** One step through an account's files, in which keys with the same start count once. */
export interface RolledUpScan extends Required<Pick<ObjectScan, 'from'>>, Omit<ObjectScan, 'from'> {
  /** Keys that are the same up to this text behind the prefix are rolled up. It has a successor. */
  readonly delimiter: string;
  /** Files that have expired by then are not rolled up, so that the caller leaves each of them out. */
  readonly now: number;
}

/** The same from the last key to the first. */
interface DownScan extends Omit<ObjectScan, 'from'> {
  /** Only keys before this one. Undefined: from the last. */
  readonly before: string | undefined;
}

export type ListSort = 'name' | 'size' | 'created';

/** A file's place in a sorted list. */
export interface SortedPlace extends Pick<ObjectAddress, 'space' | 'key'> {
  /** The number that it is sorted by: bytes, or milliseconds since the epoch. */
  readonly value: number;
}

/** One step through an account's files of all spaces, by a number, and those of the same number by space and key. */
export interface ValueScan {
  readonly accountId: string;
  readonly sort: Exclude<ListSort, 'name'>;
  readonly isDescending: boolean;
  readonly hasDetails: boolean;
  /** Bounds of the number, both inclusive. */
  readonly least: number | undefined;
  readonly most: number | undefined;
  /** The last file of the previous step. */
  readonly behind: SortedPlace | undefined;
  readonly limit: number;
}

/** The part of a file that lists show. */
export type ListedObject = ObjectAddress &
  Pick<StoredObject, 'sizeBytes' | 'etag' | 'createdAt' | 'expiresAt'> & {
    /** Null if the client set none. */
    readonly checksum: Checksum | null;
    /** Only if the scan requested them. */
    readonly details?: Pick<StoredObject, 'originalName' | 'metadata' | 'sha256' | 'versionId'>;
  };

/** A file, and when this form of it was written. */
export type WrittenObject = ObjectAddress & Pick<StoredObject, 'createdAt'>;

/** One step to an account's files of all spaces that were written within a time. */
interface WrittenScan {
  readonly accountId: string;
  /** Only keys that begin with it. Empty for all. */
  readonly prefix: string;
  /** Only files that were written after this instant. Undefined: from the first. */
  readonly after: number | undefined;
  /** Only files that were written at this instant or before. */
  readonly until: number;
  /** How many files it looks at, in each space if it goes by key. It returns those that fit. */
  readonly limit: number;
}

/** In the order of their writing. It looks at the files of that time, whatever their keys are. */
interface AgeScan extends WrittenScan {
  /** Where the previous step has ended. */
  readonly behind: WrittenObject | undefined;
}

/** In the order of their keys. It looks at the files under the prefix, whenever they were written. */
interface AgedKeyScan extends WrittenScan {
  /** The last keys of the previous step, of the spaces that go on. */
  readonly behind: ReadonlyMap<Space, string> | undefined;
}

/** What a step has found, and where the next one goes on. Undefined: there is no more to look at. */
export interface ScanStep<Place> {
  readonly files: readonly WrittenObject[];
  readonly behind: Place | undefined;
}

/** A file that has an expiry, which is over. */
export type ExpiredObject = ObjectAddress & { readonly expiresAt: number };

/** A place among the files by their expiry. */
export interface ExpiryPlace {
  readonly expiresAt: number;
  /** How many files of the same expiry are before it. Their order is any, so some may be left out or come again. */
  readonly passed: number;
}

interface ObjectsReader {
  /** Finds expired files too. The caller decides what that means. */
  find(address: ObjectAddress): Promise<StoredObject | undefined>;
  /** Includes expired files. */
  scan(scan: ObjectScan): Promise<ListedObject[]>;
  /** Of keys that are rolled up, it returns the first. Includes expired files. */
  scanRolledUp(scan: RolledUpScan): Promise<ListedObject[]>;
  /** Includes expired files. */
  scanDown(scan: DownScan): Promise<ListedObject[]>;
  /** Includes expired files. */
  scanByValue(scan: ValueScan): Promise<ListedObject[]>;
  /** Includes expired files. */
  scanByAge(scan: AgeScan): Promise<ScanStep<WrittenObject>>;
  /** Includes expired files. */
  scanAgedByKey(scan: AgedKeyScan): Promise<ScanStep<ReadonlyMap<Space, string>>>;
  /** Returns files of all accounts that have expired at `now`, the earliest expiry first. */
  expired(now: number, limit: number, from?: ExpiryPlace): Promise<ExpiredObject[]>;
  /** Returns the contents behind this id, by id, whose files have no SHA-256 yet. */
  unhashed(afterContentId: string, limit: number): Promise<string[]>;
}

export interface ObjectsTable extends ObjectsReader {
  /** Writes the row, in place of one at the same address. */
  put(object: StoredObject): Promise<void>;
  /** Sets the SHA-256 of all files with this content. */
  setSha256(contentId: string, sha256: string): Promise<void>;
  /** Removes a row and returns it. */
  remove(address: ObjectAddress): Promise<StoredObject | undefined>;
}

declare module '#server/domain/ports/metadata.ts' {
  interface Readers {
    readonly objects: ObjectsReader;
  }
  interface Tables {
    readonly objects: ObjectsTable;
  }
}
