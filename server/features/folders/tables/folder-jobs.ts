import type { FolderFailure, FolderJob } from '../folder-job.ts';
import type { FolderJobsTable } from '../table.ts';
import type { Prefix } from '#server/domain/prefixes.ts';
import { column, flag, json, nullable, record, snakeCase } from '#server/stores/tables/columns.ts';
import { table, type Rows, where } from '#server/stores/tables/rows.ts';

const jobs = table(
  'folder_jobs',
  record<FolderJob>({
    id: 'job_id',
    accountId: 'account_id',
    action: 'action',
    prefix: column<Prefix>('prefix'),
    destination: nullable(column<Prefix>('destination')),
    choices: json('choices'),
    isDryRun: flag('is_dry_run'),
    state: 'state',
    place: nullable(json('place')),
    ...snakeCase('total', 'done', 'failed', 'createdAt', 'endedAt', 'dueAt'),
  }),
  'job_id',
);

const failureFields = { objectId: 'object_id', code: 'code' } as const;
const failures = table('folder_job_failures', record<FolderFailure>(failureFields));
const newFailures = table(
  'folder_job_failures',
  record<FolderFailure & { readonly jobId: string; readonly number: number }>({
    jobId: 'job_id',
    number: 'number',
    ...failureFields,
  }),
);

/** Work on all files of a folder. */
export function folderJobsTable(rows: Rows): FolderJobsTable {
  return {
    find: async (jobId) => rows.one(jobs, where('job_id'), jobId),
    listOf: async (accountId, behind, limit) =>
      rows.all(
        jobs,
        `WHERE account_id = ? ${behind ? 'AND (created_at, job_id) < (?, ?)' : ''} ORDER BY created_at DESC, ` +
          'job_id DESC LIMIT ?',
        ...[accountId, ...(behind ? [behind.createdAt, behind.id] : []), limit],
      ),
    due: async (now, limit) =>
      rows.all(jobs, 'WHERE due_at <= ? AND created_at < ? ORDER BY due_at LIMIT ?', now, now, limit),
    failuresOf: async (jobId) => rows.all(failures, 'WHERE job_id = ? ORDER BY number', jobId),
    async countUnended(accountId) {
      const count = 'SELECT COUNT(*) FROM folder_jobs WHERE account_id = ? AND ended_at IS NULL';
      return (await rows.value<number>(count, accountId)) ?? 0;
    },
    put: async (job) => rows.put(jobs, job),
    async addFailure(jobId, number, failure) {
      await rows.insert(newFailures, { jobId, number, ...failure });
    },
    forgetEndedBefore: async (instant, limit) =>
      rows.removeSome('folder_jobs', 'job_id', 'ended_at <= ?', instant, limit),
  };
}
