import type { NewEvent, StoredEvent } from './event.ts';

/** One step through an account's events, oldest first. */
interface EventScan {
  readonly accountId: string;
  /** Only events with a higher sequence. */
  readonly after: number;
  readonly limit: number;
}

interface EventsReader {
  scan(scan: EventScan): Promise<StoredEvent[]>;
  find(accountId: string, sequence: number): Promise<StoredEvent | undefined>;
  /** Returns the sequence of the newest event that the account ever had; 0 without one. */
  newest(accountId: string): Promise<number>;
}

export interface EventsTable extends EventsReader {
  /** Adds an event. Returns its sequence, the account's next one, which is never used twice. */
  add(event: NewEvent, at: number): Promise<number>;
  /** Removes up to `limit` events that are older than `at`, oldest first. Returns how many. */
  forgetBefore(at: number, limit: number): Promise<number>;
}

declare module '../ports/metadata.ts' {
  interface Readers {
    readonly events: EventsReader;
  }
  interface Tables {
    readonly events: EventsTable;
  }
}
