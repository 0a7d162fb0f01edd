import type { ObjectAddress, Space } from '../object-id.ts';
import type { StoredObject } from './object.ts';

export type ScanStart = { readonly behind: string } | { readonly at: string };

/** One step through an account's files, in byte order of their keys. */
export interface ObjectScan {
  readonly accountId: string;
  readonly space: Space;
  /** Only keys that begin with it; '' for all. */
  readonly prefix: string;
  /** Where to begin, in byte order of the keys' UTF-8: behind a key, or at one; from the first when left out. */
  readonly from?: ScanStart;
  readonly limit: number;
}

/** A file and when this form of it was written. */
export type WrittenObject = ObjectAddress & Pick<StoredObject, 'createdAt'>;

/** One step through an account's files of all spaces, in the order in which they were written. */
export interface AgeScan {
  readonly accountId: string;
  /** Only files that were written later than this instant; from the first when left out. */
  readonly after: number | undefined;
  /** Only files that were written at this instant or before. */
  readonly until: number;
  /** Where the last step ended. */
  readonly behind: WrittenObject | undefined;
  readonly limit: number;
}

export interface ObjectsReader {
  /** Expired files are found too: whoever asks decides what that means. */
  find(address: ObjectAddress): Promise<StoredObject | undefined>;
  /** Expired files are among them. */
  scan(scan: ObjectScan): Promise<StoredObject[]>;
  /** Expired files are among them. */
  scanByAge(scan: AgeScan): Promise<WrittenObject[]>;
  /** Files of all accounts that have expired at `now`, those that did first at first. */
  expired(now: number, limit: number): Promise<ObjectAddress[]>;
  /** Contents behind this one, in order of their ids, of files that have no SHA-256 yet. */
  unhashed(afterContentId: string, limit: number): Promise<string[]>;
}

export interface ObjectsTable extends ObjectsReader {
  /** Writes the row, in place of one at the same address. */
  put(object: StoredObject): Promise<void>;
  /** Of all files with this content. */
  setSha256(contentId: string, sha256: string): Promise<void>;
  /** Answers the row that is gone. */
  remove(address: ObjectAddress): Promise<StoredObject | undefined>;
}

declare module '../ports/metadata.ts' {
  interface Readers {
    readonly objects: ObjectsReader;
  }
  interface Tables {
    readonly objects: ObjectsTable;
  }
}
