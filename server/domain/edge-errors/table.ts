import type { Buckets } from './buckets.ts';
import type { EdgeErrorCount, EdgeMethod } from './edge-error.ts';
import type { KindSums } from './kind-sums.ts';
import type { LogCheckpoint, NewLogCheckpoint } from './log-checkpoint.ts';
import type { Span } from './resolution.ts';

/** Which counts are read. */
export interface EdgeErrorScan {
  readonly appId: string;
  readonly span: Span;
  /** Lower statuses are left out. */
  readonly minStatus: number;
}

/** Errors of one kind in one bucket, as far as they lie in the span. */
export interface BucketCount {
  readonly bucket: number;
  readonly status: number;
  readonly method: EdgeMethod;
  readonly count: number;
}

export interface EdgeErrorsReader {
  /** Counts up whenever errors of the application are stored or forgotten, by whatever process; 0 before the first. */
  revision(appId: string): Promise<number>;
  /**
   * From the first day (UTC) with errors of the application to the end of the last, in ms; undefined when there are
   * none.
   */
  extent(appId: string): Promise<{ readonly start: number; readonly end: number } | undefined>;
  /** At most one row for each bucket, status and method; units of the span are not longer than a bucket. */
  byBucket(scan: EdgeErrorScan, buckets: Buckets): Promise<BucketCount[]>;
  /** Adds the span's errors to the sums of their kinds, which are packed as `packKind()` does. */
  addByPath(scan: EdgeErrorScan, sums: KindSums): Promise<void>;
  pathOf(pathId: number): Promise<string | undefined>;
}

export interface EdgeErrorsTable extends EdgeErrorsReader {
  /**
   * Adds to the counts of an application. Of each day (UTC) the first thousand paths, in the order given, keep their
   * name.
   */
  add(appId: string, counts: readonly EdgeErrorCount[]): Promise<void>;
  /** Removes up to `limit` counts and paths of days that ended before `at`, and answers how many. */
  forgetBefore(at: number, limit: number): Promise<number>;
}

export interface EdgeLogsReader {
  /** All logs that were read for the application. */
  listOf(appId: string): Promise<LogCheckpoint[]>;
}

export interface EdgeLogsTable extends EdgeLogsReader {
  add(checkpoint: NewLogCheckpoint): Promise<LogCheckpoint>;
  /** Moves a checkpoint on; answers false, and changes nothing, when it no longer is where the caller found it. */
  advance(from: LogCheckpoint, to: LogCheckpoint): Promise<boolean>;
  /** Removes up to `limit` checkpoints that have not moved since `at`, and answers how many. */
  forgetBefore(at: number, limit: number): Promise<number>;
}

declare module '../ports/metadata.ts' {
  interface Readers {
    readonly edgeErrors: EdgeErrorsReader;
    readonly edgeLogs: EdgeLogsReader;
  }
  interface Tables {
    readonly edgeErrors: EdgeErrorsTable;
    readonly edgeLogs: EdgeLogsTable;
  }
}
