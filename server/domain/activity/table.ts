import type { ActivityAuth, ActivityEntry, ActivityRecord, ActivityType } from './activity.ts';

/** Which entries a list has. Fields that are left out do not restrict it. */
export interface ActivityFilter {
  readonly type?: ActivityType | undefined;
  readonly keyId?: string | undefined;
  readonly auth?: ActivityAuth | undefined;
  /** The beginning of the key of the entry's file. */
  readonly prefix?: string | undefined;
  /** Entries at this instant or later. */
  readonly from?: number | undefined;
  /** Entries before this instant. */
  readonly to?: number | undefined;
}

/** One step through an account's activity, newest first. */
export interface ActivityScan extends ActivityFilter {
  readonly accountId: string;
  /** Only entries with a lower sequence. Left out, the scan begins with the newest. */
  readonly before?: number | undefined;
  /** Only entries with this sequence or a higher one. */
  readonly atLeast?: number | undefined;
  readonly limit: number;
}

interface ActivityReader {
  /** Includes entries that are due to be removed. */
  scan(scan: ActivityScan): Promise<ActivityEntry[]>;
  /** Counts the entries about files below a prefix, up to a number. */
  countBelow(accountId: string, prefix: string, most: number): Promise<number>;
  /** Returns the entries about files below a prefix, newest first. It reads and sorts all of them. */
  scanBelow(scan: ActivityScan & { readonly prefix: string }): Promise<ActivityEntry[]>;
  /** Returns the first entry with this sequence or a higher one. */
  firstFrom(accountId: string, sequence: number): Promise<Pick<ActivityEntry, 'sequence' | 'at'> | undefined>;
  /** Returns the newest entry. */
  newest(accountId: string): Promise<Pick<ActivityEntry, 'sequence' | 'at'> | undefined>;
}

export interface ActivityTable extends ActivityReader {
  /** Adds an entry. Returns its sequence, the account's next one, which is never used twice. */
  add(record: ActivityRecord, at: number): Promise<number>;
  /** Removes one entry, because its activity was undone. Its sequence is not used again. */
  remove(accountId: string, sequence: number): Promise<void>;
  /** Removes up to `limit` entries that are older than `at`, oldest first. Returns how many. */
  forgetBefore(at: number, limit: number): Promise<number>;
}

declare module '../ports/metadata.ts' {
  interface Readers {
    readonly activity: ActivityReader;
  }
  interface Tables {
    readonly activity: ActivityTable;
  }
}
