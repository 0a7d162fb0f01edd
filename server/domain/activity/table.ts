import type { ActivityEntry, ActivityRecord } from './activity.ts';

/** One step through an account's activity, newest first. */
export interface ActivityScan {
  readonly accountId: string;
  /** Only entries with a lower sequence; from the newest when left out. */
  readonly before?: number;
  readonly limit: number;
}

export interface ActivityReader {
  /** Entries that are to be forgotten are among them. */
  scan(scan: ActivityScan): Promise<ActivityEntry[]>;
}

export interface ActivityTable extends ActivityReader {
  /** Keeps it under the account's next sequence, which is never given twice, and answers that. */
  add(record: ActivityRecord, at: number): Promise<number>;
  /** Removes one entry, of something that was undone; its sequence stays used. */
  remove(accountId: string, sequence: number): Promise<void>;
  /** Removes up to `limit` entries that are older than `at`, the oldest first, and answers how many. */
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
