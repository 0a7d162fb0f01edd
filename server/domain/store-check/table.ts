import type { ObjectAddress } from '../object-id.ts';

/** A counter that does not have the sum that it stands for. */
export interface CounterDifference {
  /** As in the database: `accounts.used_bytes`. */
  readonly counter: string;
  /** The key of its row. */
  readonly subject: string;
  readonly stored: number;
  readonly actual: number;
}

/** A content, and the hashes that its files have. */
export interface HashedContent {
  readonly contentId: string;
  readonly sizeBytes: number;
  /** In hex; null if no file has it yet. */
  readonly sha256: string | null;
  /** The ETag of a file. The MD5 in hex if it was stored in one piece. */
  readonly etag: string | null;
}

/** How far the scrub has come in its round through all contents. */
export interface ScrubPosition {
  /** When the round began. Milliseconds since the epoch. */
  readonly beganAt: number;
  readonly readBytes: number;
  readonly readFiles: number;
  /** The last content that was read. Empty before the first. */
  readonly lastContentId: string;
  /** When an operator requested this round, so that it does not wait for its days. */
  readonly requestedAt: number | null;
  /** When everything was read for the first time in this round. */
  readonly endedAt: number | null;
}

interface StoreCheckReader {
  /** Returns counters that differ from their sums, some of each kind. */
  differences(): Promise<CounterDifference[]>;
  /** Returns days of usage that cannot be, as account and instant. */
  impossibleDays(): Promise<Array<{ readonly accountId: string; readonly day: number }>>;
  /** Returns contents that no file points to. */
  unusedContents(): Promise<string[]>;
  /** Returns contents behind this id, by id. */
  hashed(afterContentId: string, limit: number): Promise<HashedContent[]>;
  /** Returns the files with this content, as account, space and key. */
  filesOf(contentId: string): Promise<ObjectAddress[]>;
  /** Returns the contents that a blob of the store belongs to. */
  contentsOfBlob(blobId: string): Promise<string[]>;
  scrubPosition(): Promise<ScrubPosition | undefined>;
  /** Returns how many contents are known to be damaged. */
  damagedCount(): Promise<number>;
}

export interface StoreCheckTable extends StoreCheckReader {
  /** Sets a counter to its sum. Not for the usage of accounts, whose changes are metered. */
  settle(difference: Pick<CounterDifference, 'counter' | 'subject'>): Promise<void>;
  removeDay(accountId: string, day: number): Promise<void>;
  /** Removes a content, and marks its blobs for deletion, if still no file points to it. */
  removeUnused(contentId: string): Promise<void>;
  saveScrubPosition(position: ScrubPosition): Promise<void>;
  /** Notes whether the bytes of a content were damaged when they were last read. Returns whether that is new. */
  noteDamage(contentId: string, isDamaged: boolean): Promise<boolean>;
}

declare module '../ports/metadata.ts' {
  interface Readers {
    readonly storeCheck: StoreCheckReader;
  }
  interface Tables {
    readonly storeCheck: StoreCheckTable;
  }
}
