import { reachOf } from '#server/handlers/requester.ts';
import { parsing } from '#server/http/operation.ts';
import type { FoldersHandlers } from '#generated/router.ts';
import type { ErrorCode, FolderJob as WireJob, StartFolderJobData } from '#generated/types.ts';
import { mayPurgeKept } from '#server/domain/access/may-purge-kept.ts';
import { requireActivePlan } from '#server/domain/access/require-sender.ts';
import { readExpire, readPrefix } from '#server/domain/file-options.ts';
import type { FolderJob } from '../folder-job.ts';
import {
  abortFolderJob,
  findFolderJob,
  listFolderJobs,
  requireDestination,
  startFolderJob,
} from '../manage-folder-jobs.ts';
import { actorOf, type Call } from '#server/handlers/call.ts';
import type { CorePorts } from '#server/handlers/ports.ts';
import { accepted, success, timestamp, timestampOrNull } from '#server/handlers/wire.ts';

interface Deps extends CorePorts {
  /** Called after a job was started. */
  onFolderJob(): void;
}

/** Returns the handlers of jobs over folders. */
export function foldersHandlers(deps: Deps): FoldersHandlers<Call> {
  return {
    startFolderJob: parsing(
      ({ body }) => jobCommand(body),
      async (requested, call) => {
        const { account, key } = call.caller;
        requireActivePlan(account);
        const { overwrite, isPrivate, expire, keepDays, deletedBy, ...command } = requested;
        const { prefixes } = key;
        const choices = {
          ...{ overwrite, isPrivate, expire, keepDays, deletedBy, actor: actorOf(call) },
          ...(mayPurgeKept(call.caller) && { mayPurgeKept: { prefixes } }),
        };
        const job = await startFolderJob(deps, { ...command, account, prefixes, keyId: key.id, choices });
        deps.onFolderJob();
        return accepted(wireJob(job));
      },
    ),

    async listFolderJobs(_input, call) {
      const jobs = await listFolderJobs(deps.metadata, reachOf(call));
      return success({ jobs: jobs.map(wireJob) });
    },

    async getFolderJob({ path }, call) {
      const { job, failures } = await findFolderJob(deps.metadata, reachOf(call), path.id);
      return success({
        ...wireJob(job),
        failures: failures.map(({ objectId, code }) => ({ id: objectId, code: code as ErrorCode })),
      });
    },

    async abortFolderJob({ path }, call) {
      return success(wireJob(await abortFolderJob(deps, reachOf(call), path.id)));
    },
  };
}

/** @throws INVALID_OBJECT_PREFIX, INVALID_DESTINATION, INVALID_OBJECT_EXPIRE */
function jobCommand(body: StartFolderJobData['body']) {
  const { action, overwrite = false, private: isPrivate, expire, dry_run: isDryRun = false } = body;
  const keepDays = action === 'delete' ? body.keep_deleted_days : undefined;
  const deletedBy = action === 'restore' ? body.deleted_by : undefined;
  const prefix = readPrefix(body.prefix)!;
  const destination = readPrefix(body.destination);
  requireDestination(action, prefix, destination);
  readExpire(expire);
  return { action, prefix, destination, overwrite, isPrivate, expire, keepDays, deletedBy, isDryRun };
}

function wireJob(job: FolderJob): WireJob {
  return {
    id: job.id,
    action: job.action,
    prefix: job.prefix,
    destination: job.destination,
    dry_run: job.isDryRun,
    state: job.state,
    total: job.total,
    done: job.done,
    failed: job.failed,
    created_at: timestamp(job.createdAt),
    ended_at: timestampOrNull(job.endedAt),
  };
}
