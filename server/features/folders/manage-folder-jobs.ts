import type { Reach } from '#server/domain/access/requester.ts';
import { placesFor } from '#server/domain/access/places.ts';
import type { Account } from '#server/domain/account/account.ts';
import { readChanges } from '#server/features/files/update/object-changes.ts';
import type { Ids } from '#server/domain/ports/ids.ts';
import type { Reads, Writes } from '#server/domain/ports/metadata.ts';
import { coversPrefix, type Prefix } from '#server/domain/prefixes.ts';
import { Refusal } from '#server/domain/refusal.ts';
import {
  hasEnded,
  listedFolderJobs,
  maxFolderJobs,
  type FolderAction,
  type FolderChoices,
  type FolderFailure,
  type FolderJob,
} from './folder-job.ts';

interface StartDeps {
  readonly metadata: Writes<'apiKeys' | 'folderJobs'>;
  readonly ids: Pick<Ids, 'opaqueId'>;
}

interface StartFolderJob {
  readonly account: Account;
  readonly prefixes: Reach['prefixes'];
  /** The key that was sent. */
  readonly keyId: string;
  readonly action: FolderAction;
  readonly prefix: Prefix;
  readonly destination: Prefix | undefined;
  readonly choices: FolderChoices;
  readonly isDryRun: boolean;
}

/**
 * Starts a job. It runs in the background.
 *
 * @throws INVALID_DESTINATION, NOTHING_TO_UPDATE, INVALID_OBJECT_EXPIRE, UPGRADE_REQUIRED, TOO_MANY_FOLDER_JOBS
 * @throws FOLDER_JOB_NOT_FOUND, PREFIX_NOT_ALLOWED for the job whose deletions are to be restored
 */
export async function startFolderJob({ metadata, ids }: StartDeps, command: StartFolderJob): Promise<FolderJob> {
  const { account, prefixes, keyId, action, prefix, destination, choices, isDryRun } = command;
  if (action === 'update') readChanges(account, changesOf(choices));
  const id = `job_${ids.opaqueId()}`;
  return metadata.atomically(
    async (tx) => {
      if (choices.deletedBy !== undefined)
        await requireSeen(tx.folderJobs, { accountId: account.id, prefixes }, choices.deletedBy);
      const places = await placesFor(tx, account.id, keyId, maxFolderJobs);
      if ((await tx.folderJobs.countUnended(account.id)) >= places) throw new Refusal('TOO_MANY_FOLDER_JOBS');
      const job: FolderJob = {
        ...{ id, accountId: account.id, action, prefix, choices, isDryRun },
        destination: destination ?? null,
        ...{ state: 'counting', place: null, total: 0, done: 0, failed: 0 },
        ...{ createdAt: tx.now, endedAt: null, dueAt: tx.now },
      };
      await tx.folderJobs.put(job);
      return job;
    },
    { account: account.id },
  );
}

/**
 * Checks the destination of a job, which only moves and copies have. One folder may not lie in the other.
 *
 * @throws INVALID_DESTINATION
 */
export function requireDestination(action: FolderAction, prefix: Prefix, destination: Prefix | undefined): void {
  const isMove = action === 'move' || action === 'copy';
  if (!isMove && destination === undefined) return;
  const message = !isMove
    ? `The action ${action} has no destination. Leave it out.`
    : destination === undefined
      ? `The action ${action} needs a destination.`
      : `${destination}/`.startsWith(`${prefix}/`) || `${prefix}/`.startsWith(`${destination}/`)
        ? 'One of the two folders lies in the other. Choose another destination.'
        : undefined;
  if (message !== undefined) throw new Refusal('INVALID_DESTINATION', { message });
}

/** Returns the choices as an update has them. */
export function changesOf({ isPrivate, expire }: FolderChoices) {
  const rest = { cacheControl: undefined, disposition: undefined, metadata: undefined, originalName: undefined };
  return { isPrivate, expire, ...rest };
}

/** Jobs that are read in one step for a key that may not see all of them, and how many are read at most. */
const readAtOnce = 500;
const maxRead = 10_000;

/** Returns the jobs that a key may see, newest first. */
export async function listFolderJobs(
  { read }: Reads<'folderJobs'>,
  { accountId, prefixes }: Reach,
): Promise<FolderJob[]> {
  if (prefixes === null) return read.folderJobs.listOf(accountId, undefined, listedFolderJobs);
  const seen: FolderJob[] = [];
  let behind: FolderJob | undefined;
  for (let done = 0; done < maxRead && seen.length < listedFolderJobs; done += readAtOnce) {
    const step = await read.folderJobs.listOf(accountId, behind, readAtOnce);
    seen.push(...step.filter((job) => reaches(prefixes, job)));
    behind = step.at(-1);
    if (step.length < readAtOnce) break;
  }
  return seen.slice(0, listedFolderJobs);
}

function reaches(prefixes: readonly Prefix[], { prefix, destination }: FolderJob): boolean {
  return coversPrefix(prefixes, prefix) && (destination === null || coversPrefix(prefixes, destination));
}

/** @throws FOLDER_JOB_NOT_FOUND, PREFIX_NOT_ALLOWED */
async function requireSeen(
  folderJobs: Pick<Reads<'folderJobs'>['read']['folderJobs'], 'find'>,
  { accountId, prefixes }: Reach,
  jobId: string,
): Promise<FolderJob> {
  const job = await folderJobs.find(jobId);
  if (job?.accountId !== accountId) throw new Refusal('FOLDER_JOB_NOT_FOUND');
  if (prefixes && !reaches(prefixes, job)) throw new Refusal('PREFIX_NOT_ALLOWED');
  return job;
}

/** Returns a job and its failures. @throws FOLDER_JOB_NOT_FOUND, PREFIX_NOT_ALLOWED */
export async function findFolderJob(
  { read }: Reads<'folderJobs'>,
  view: Reach,
  jobId: string,
): Promise<{ readonly job: FolderJob; readonly failures: readonly FolderFailure[] }> {
  const job = await requireSeen(read.folderJobs, view, jobId);
  return { job, failures: await read.folderJobs.failuresOf(jobId) };
}

/** Ends a job at once. What it has changed stays changed. @throws FOLDER_JOB_NOT_FOUND, PREFIX_NOT_ALLOWED */
export async function abortFolderJob(
  { metadata }: Pick<StartDeps, 'metadata'>,
  view: Reach,
  jobId: string,
): Promise<FolderJob> {
  return metadata.atomically(
    async (tx) => {
      const job = await requireSeen(tx.folderJobs, view, jobId);
      if (hasEnded(job)) return job;
      const ended: FolderJob = { ...job, state: 'cancelled', endedAt: tx.now, dueAt: null };
      await tx.folderJobs.put(ended);
      return ended;
    },
    { account: view.accountId },
  );
}
