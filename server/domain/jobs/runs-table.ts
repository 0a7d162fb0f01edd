/** The last run of a background job. */
export interface JobRun {
  readonly job: string;
  /** Milliseconds since the epoch. */
  readonly startedAt: number;
  readonly durationMs: number;
  /** How many items it did; null when it failed. */
  readonly count: number | null;
}

interface JobRunsReader {
  /** Returns the last run of each job that ever ran. */
  list(): Promise<JobRun[]>;
}

export interface JobRunsTable extends JobRunsReader {
  /** Stores a run, in place of the last one. */
  put(run: JobRun): Promise<void>;
}

declare module '../ports/metadata.ts' {
  interface Readers {
    readonly jobRuns: JobRunsReader;
  }
  interface Tables {
    readonly jobRuns: JobRunsTable;
  }
}
