import { feature, ofAccount } from '#server/feature.ts';
import { files } from '../files/feature.ts';
import { rules } from '../rules/feature.ts';
import { trash } from '../trash/feature.ts';
import { folderJobsTable } from './tables/folder-jobs.ts';
import { forgetFolderJobs } from './forget-folder-jobs.ts';

const ofFolderJobs = 'job_id IN (SELECT job_id FROM folder_jobs WHERE account_id = ?)';

/** Jobs over all files below a prefix. */
export const folders = feature({
  name: 'folders',
  needs: [rules, files, trash],
  pages: ['folder-jobs'],
  schema: ['folders'],
  tables: {
    folderJobs: folderJobsTable,
  },
  accountRows: [
    ['folder_job_failures', 'job_id, number', ofFolderJobs],
    ['folder_jobs', 'job_id', ofAccount],
  ],
  jobs: {
    'forget-folder-jobs': { stage: 'rows', trustsClock: true, run: forgetFolderJobs },
  },
  serve: () => import('./serve.ts'),
});
