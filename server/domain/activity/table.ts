import type { ActivityEntry, ActivityRecord } from './activity.ts';

/** One step through an account's activity, newest first. */
interface ActivityScan {
  readonly accountId: string;
  /** Only entries with a lower sequence. Left out, the scan begins with the newest. */
  readonly before?: number;
  readonly limit: number;
}

interface ActivityReader {
  /** Includes entries that are due to be removed. */
  scan(scan: ActivityScan): Promise<ActivityEntry[]>;
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
