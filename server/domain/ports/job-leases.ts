import type { Metadata, TableName } from './metadata.ts';

/** The right to run a background job. Of several servers over one database, one has it. */
export interface JobLease {
  readonly job: string;
  /** Grows each time the job is taken. */
  readonly epoch: number;
}

/** Lets each background job run in one process at a time. */
export interface JobLeases {
  /**
   * Takes a job. The lease lasts until its process ends or loses the database.
   *
   * @param pauseMs how long ago the last run must have ended
   * @returns undefined if another process runs the job, or has run it lately
   */
  take(job: string, pauseMs: number): Promise<JobLease | undefined>;
  /**
   * Gives a job back. Does nothing when it was lost.
   *
   * @param earlierMs how much less than its pause the next run must wait, as after a run that failed. Default 0
   */
  end(lease: JobLease, earlierMs?: number): Promise<void>;
}

/** The right to work on one account in a background job that several servers run at once. */
export interface AccountLease {
  readonly job: string;
  readonly accountId: string;
  /** The process that has it. */
  readonly owner: string;
}

/** Shares the accounts of a background job out over processes, so that each account is in one of them at a time. */
export interface AccountLeases {
  /**
   * Takes those of the accounts that no other process has. The leases last until their process ends or loses the
   * database.
   */
  take(job: string, accountIds: readonly string[]): Promise<readonly AccountLease[]>;
  /** Gives accounts back. Does nothing for those that were lost. If it fails, the next taking does it. */
  end(leases: readonly AccountLease[]): Promise<void>;
}

/**
 * Another process has taken the job or the account, because this one did not reach the database for some time. Nothing
 * is written.
 */
export class JobLeaseLost extends Error {
  constructor(lease: JobLease | AccountLease) {
    const { job } = lease;
    super(
      'epoch' in lease
        ? `Another server has taken the job ${job} since epoch ${lease.epoch}, so this one writes nothing more for it.`
        : `This server has lost the account ${lease.accountId} of the job ${job}, so it writes nothing more for it.`,
    );
    this.name = 'JobLeaseLost';
  }
}

/** Returns the same store, whose transactions write only while this process has the lease. */
export function underLease<Names extends TableName>(
  metadata: Metadata<Names>,
  lease: JobLease | AccountLease,
): Metadata<Names> {
  return {
    read: metadata.read,
    atomically: (work, options) => metadata.atomically(work, { ...options, lease }),
  };
}
