import type { NamedBlob } from '../contents/table.ts';

/** A blob that the target has, verified when it was written. */
export interface IndexEntry {
  readonly blobId: string;
  readonly sizeBytes: number;
  /** In hex. */
  readonly sha256: string;
  /** The first generation that does not name it any more; null while the newest one does. */
  readonly endedIn: string | null;
}

/** A blob that a generation needs. Its size is null if only a dump of the database knows it. */
export type NeededBlob = Omit<NamedBlob, 'sizeBytes'> & { readonly sizeBytes: number | null };

/** A blob in a store. */
export interface SeenBlob {
  readonly blobId: string;
  readonly sizeBytes: number;
}

/** A number of blobs, and their bytes. */
export interface BlobSum {
  readonly count: number;
  readonly bytes: number;
}

/**
 * The blobs of a target beside those of a database, for their differences. There may be millions, so it is a scratch
 * file. Calls are not durable: the documents of the target are what lasts.
 */
export interface BlobIndex {
  /** Adds entries, in place of those with their ids. */
  add(entries: readonly IndexEntry[]): void;
  drop(blobIds: readonly string[]): void;
  find(blobId: string): IndexEntry | undefined;
  /** Returns entries behind an id, in their order. */
  entries(afterBlobId: string, limit: number): IndexEntry[];

  /** Forgets the named blobs and the seen ones. */
  clear(): void;
  /** Adds blobs that the database names. */
  name(blobs: readonly NamedBlob[]): void;
  /** Adds blobs of unknown size that a dump of the database may name. Those with an entry already count as there. */
  nameMarked(blobIds: readonly string[]): void;
  named(): BlobSum;
  /** Returns the sum of the named blobs without an entry. */
  missing(): BlobSum;
  /** Returns named blobs without an entry behind an id, in their order. */
  missingAfter(blobId: string, limit: number): NeededBlob[];
  /**
   * Returns entries behind an id whose `endedIn` no longer fits the named blobs, with the right value. A blob that is
   * no longer named ends in `generation`.
   */
  changedEnds(generation: string, afterBlobId: string, limit: number): IndexEntry[];
  /** Returns entries that ended in this generation or before it. */
  endedBy(generation: string, limit: number): IndexEntry[];

  /** Notes blobs that a store was seen to have. */
  see(blobs: readonly SeenBlob[]): void;
  /** Returns the ids of seen blobs without an entry of their size. */
  strangers(limit: number): string[];
  /** Forgets that these were seen. */
  forget(blobIds: readonly string[]): void;
  /** Returns the size with which a blob was seen. */
  seenSize(blobId: string): number | undefined;
  /** Returns ids of entries of which no blob of their size was seen. */
  unseen(limit: number): string[];
}
