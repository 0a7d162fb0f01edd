import type { Buckets } from './buckets.ts';
import type { EdgeErrorCount, EdgeMethod } from './edge-error.ts';
import type { KindSums } from './kind-sums.ts';
import type { LogCheckpoint, NewLogCheckpoint } from './log-checkpoint.ts';
import type { Span } from './resolution.ts';

/** The counts to read. */
export interface EdgeErrorScan {
  readonly appId: string;
  readonly span: Span;
  /** Lower statuses are left out. */
  readonly minStatus: number;
}

/** Rows whose number is above `after`, up to `until`. */
export interface NumberRange {
  readonly after: number;
  readonly until: number;
}

/** Errors of one kind in one bucket that lie in the span. */
export interface BucketCount {
  readonly bucket: number;
  readonly status: number;
  readonly method: EdgeMethod;
  readonly count: number;
}

interface EdgeErrorsReader {
  /** Returns a counter that grows when errors of the application are stored or removed; 0 before the first. */
  revision(appId: string): Promise<number>;
  /**
   * Returns the beginning of the first day (UTC) with errors and the end of the last, in ms; undefined without errors.
   */
  extent(appId: string): Promise<{ readonly start: number; readonly end: number } | undefined>;
  /** Returns at most one row for each bucket, status and method. The span's units must not be longer than a bucket. */
  byBucket(scan: EdgeErrorScan, buckets: Buckets): Promise<BucketCount[]>;
  /** Adds the span's errors to the sums of their kinds, which are packed as `packKind()` does. */
  addByPath(scan: EdgeErrorScan, sums: KindSums): Promise<void>;
  pathOf(pathId: number): Promise<string | undefined>;
  /** Returns the range of the next applications behind a number, up to `limit` of them; undefined when none follow. */
  nextApps(after: number, limit: number): Promise<NumberRange | undefined>;
  /** The same for paths. */
  nextPaths(after: number, limit: number): Promise<NumberRange | undefined>;
}

export interface EdgeErrorsTable extends EdgeErrorsReader {
  /** Adds to the counts of an application. The first thousand paths of each day (UTC), in order, keep their name. */
  add(appId: string, counts: readonly EdgeErrorCount[]): Promise<void>;
  /** Removes up to `limit` counts of some applications, of days that ended before `at`. Returns how many. */
  forgetBefore(at: number, apps: NumberRange, limit: number): Promise<number>;
  /** Removes those paths of a range that have no counts. Returns how many. */
  forgetUnusedPaths(paths: NumberRange): Promise<number>;
}

interface EdgeLogsReader {
  /** Returns the checkpoints of all logs that were read for the application. */
  listOf(appId: string): Promise<LogCheckpoint[]>;
}

export interface EdgeLogsTable extends EdgeLogsReader {
  add(checkpoint: NewLogCheckpoint): Promise<LogCheckpoint>;
  /** Moves a checkpoint. Returns false, and changes nothing, when it has moved since the caller read it. */
  advance(from: LogCheckpoint, to: LogCheckpoint): Promise<boolean>;
  /** Removes up to `limit` checkpoints that have not moved since `at`. Returns how many. */
  forgetBefore(at: number, limit: number): Promise<number>;
}

declare module '#server/domain/ports/metadata.ts' {
  interface Readers {
    readonly edgeErrors: EdgeErrorsReader;
    readonly edgeLogs: EdgeLogsReader;
  }
  interface Tables {
    readonly edgeErrors: EdgeErrorsTable;
    readonly edgeLogs: EdgeLogsTable;
  }
}
