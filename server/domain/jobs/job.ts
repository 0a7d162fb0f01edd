import { forgetOldActivity } from '../activity/forget-old-activity.ts';
import { forgetEnded } from '../devices/forget-ended.ts';
import { deleteByRule } from '../objects/delete-by-rule.ts';
import { deleteExpired } from '../objects/delete-expired.ts';
import { reapBlobs } from '../objects/reap-blobs.ts';
import type { BlobStore } from '../ports/blobs.ts';
import type { Metadata } from '../ports/metadata.ts';

export interface JobDeps {
  readonly metadata: Metadata;
  readonly blobs: Pick<BlobStore, 'delete'>;
}

interface Job {
  /** Whether it deletes for good what a wrong clock calls old; such a job waits after a jump of the clock. */
  readonly trustsClock: boolean;
  /** Does all that is to be done at `now`, and answers how much that was. May run twice at once. */
  run(deps: JobDeps, now: number): Promise<number>;
}

export type JobName = 'delete-expired' | 'delete-by-rule' | 'forget-activity' | 'forget-codes' | 'reap-blobs';

/** In the order in which they run: bytes go after the rows that named them. */
export const jobs: Readonly<Record<JobName, Job>> = {
  'delete-expired': { trustsClock: true, run: deleteExpired },
  'delete-by-rule': { trustsClock: true, run: deleteByRule },
  'forget-activity': { trustsClock: true, run: ({ metadata }, now) => forgetOldActivity({ metadata, clock: { now: () => now } }) },
  // What a wrong clock takes here is asked for anew within a minute.
  'forget-codes': { trustsClock: false, run: forgetEnded },
  'reap-blobs': { trustsClock: false, run: reapBlobs },
};

export const jobNames = Object.keys(jobs) as JobName[];
