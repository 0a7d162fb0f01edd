import { forgetting } from '#server/domain/forgetting.ts';
import { folderJobsKeptMs } from './folder-job.ts';

/** Removes jobs over folders 30 days after their end. */
export const forgetFolderJobs = forgetting<'folderJobs'>((tx, now, limit) =>
  tx.folderJobs.forgetEndedBefore(now - folderJobsKeptMs, limit),
);
