import type { FolderFailure, FolderJob } from './folder-job.ts';

/** A place in the order in which jobs were started. */
type FolderCursor = Pick<FolderJob, 'createdAt' | 'id'>;

interface FolderJobsReader {
  find(jobId: string): Promise<FolderJob | undefined>;
  /** Returns the account's jobs, newest first, from the first one or behind another one. */
  listOf(accountId: string, behind: FolderCursor | undefined, limit: number): Promise<FolderJob[]>;
  /** Returns jobs of all accounts that a server may take at `now`, the earliest first. */
  due(now: number, limit: number): Promise<FolderJob[]>;
  /** Returns the failures of a job, in the order in which they came. */
  failuresOf(jobId: string): Promise<FolderFailure[]>;
}

export interface FolderJobsTable extends FolderJobsReader {
  /** Returns how many jobs of the account have not ended. */
  countUnended(accountId: string): Promise<number>;
  /** Writes a job, in place of its former state. */
  put(job: FolderJob): Promise<void>;
  addFailure(jobId: string, number: number, failure: FolderFailure): Promise<void>;
  /** Removes jobs that ended before this instant, up to a number. Returns how many. */
  forgetEndedBefore(instant: number, limit: number): Promise<number>;
}

declare module '#server/domain/ports/metadata.ts' {
  interface Readers {
    readonly folderJobs: FolderJobsReader;
  }
  interface Tables {
    readonly folderJobs: FolderJobsTable;
  }
}
