import type { AiRequestRecord } from './request-record.ts';

/** A recorded request as it is stored. Its times are whole milliseconds. */
export interface AiRequestEntry extends AiRequestRecord {
  /** Unique within the account. */
  readonly id: string;
}

/** One step through the requests of an account, newest first. */
interface AiRequestScan {
  readonly accountId: string;
  /** Only requests before this place: those of an earlier instant, or of the same one with a lower id. */
  readonly before: { readonly at: number; readonly id: string };
  readonly limit: number;
}

interface AiRequestsReader {
  /** Includes requests that are due to be removed. */
  scan(scan: AiRequestScan): Promise<AiRequestEntry[]>;
}

export interface AiRequestsTable extends AiRequestsReader {
  /** Adds requests. Those of accounts that are gone are left out. */
  add(entries: readonly AiRequestEntry[]): Promise<void>;
  /** Removes up to `limit` requests that came before `at`, oldest first. Returns how many. */
  forgetBefore(at: number, limit: number): Promise<number>;
}

declare module '#server/domain/ports/metadata.ts' {
  interface Readers {
    readonly aiRequests: AiRequestsReader;
  }
  interface Tables {
    readonly aiRequests: AiRequestsTable;
  }
}
