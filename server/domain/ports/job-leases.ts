import type { Metadata } from './metadata.ts';

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
  /** Gives a job back. Does nothing when it was lost. */
  end(lease: JobLease): Promise<void>;
}

/** Another process has taken the job, because this one did not reach the database for some time. Nothing is written. */
export class JobLeaseLost extends Error {
  constructor({ job, epoch }: JobLease) {
    super(`Another server has taken the job ${job} since epoch ${epoch}, so this one writes nothing more for it.`);
    this.name = 'JobLeaseLost';
  }
}

/** Returns the same store, whose transactions write only while this process has the lease. */
export function underLease(metadata: Metadata, lease: JobLease): Metadata {
  return {
    read: metadata.read,
    atomically: (work, options) => metadata.atomically(work, { ...options, lease }),
  };
}
