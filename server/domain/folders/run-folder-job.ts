import type { FileTables } from '../objects/table.ts';
import { formatObjectId } from '../object-id.ts';
import type { Clock } from '../ports/clock.ts';
import type { Ids } from '../ports/ids.ts';
import type { Metadata, Transaction } from '../ports/metadata.ts';
import { changeItem } from './change-item.ts';
import { hasEnded, maxFailures, type FolderFailure, type FolderJob, type FolderPlace } from './folder-job.ts';
import { readFolderStep, type FolderStep } from './folder-step.ts';

interface Deps {
  readonly metadata: Metadata<FileTables | 'folderJobs'>;
  readonly ids: Ids;
  readonly clock: Clock;
}

/** Files that are counted in one step. */
const countedRows = 1000;

/** Files that are changed in one transaction. They are few enough that requests in between do not notice. */
const batchFiles = 50;

/** Who takes a job has it for this long, from each step on. Then another server takes it: this one was killed. */
const leaseMs = 10_000;

/** What became of the files of a step. */
interface Outcome {
  readonly done: number;
  readonly failures: readonly FolderFailure[];
}

/** Ends the transaction of a dry run, which writes nothing. */
class DryRun extends Error {
  readonly outcome: Outcome;

  constructor(outcome: Outcome) {
    super('A dry run writes nothing.');
    this.outcome = outcome;
  }
}

/**
 * Takes a job that is due, so that no other server does. A job begins in a later millisecond than the one in which it was
 * started. So everything that it writes is newer than the job.
 *
 * @returns undefined if another server has it, or it has ended
 */
export async function takeFolderJob({ metadata }: Pick<Deps, 'metadata'>, found: FolderJob) {
  return metadata.atomically(
    async (tx) => {
      const job = await tx.folderJobs.find(found.id);
      if (!job || job.dueAt === null || job.dueAt > tx.now || job.createdAt >= tx.now) return undefined;
      const taken: FolderJob = { ...job, dueAt: tx.now + leaseMs };
      await tx.folderJobs.put(taken);
      return taken;
    },
    { account: found.accountId, isDurable: false },
  );
}

/** Gives a job back, so that it can be taken at once. */
export async function releaseFolderJob({ metadata }: Pick<Deps, 'metadata'>, { id, accountId }: FolderJob) {
  await metadata.atomically(
    async (tx) => {
      const job = await tx.folderJobs.find(id);
      if (job && !hasEnded(job)) await tx.folderJobs.put({ ...job, dueAt: tx.now });
    },
    { account: accountId, isDurable: false },
  );
}

/**
 * Does one step of a job: counts files, or changes some. The changes and the place behind them are one transaction, so
 * each file is changed once, whenever the server is killed. Returns the job as it is then; undefined if it was cancelled,
 * or another server has gone on with it.
 */
export async function runFolderStep(deps: Deps, job: FolderJob): Promise<FolderJob | undefined> {
  const { metadata, clock } = deps;
  if (job.state === 'counting') {
    const { items, next } = await readFolderStep(metadata, job, clock.now(), countedRows);
    return save(deps, job, async () => counted(job, items.length, next));
  }
  const step = await readFolderStep(metadata, job, clock.now(), batchFiles);
  const outcome = job.isDryRun ? await dryOutcome(deps, job, step) : undefined;
  return save(deps, job, async (tx) => {
    const { done, failures } = outcome ?? (await changeAll(tx, deps, job, step));
    await addFailures(tx, job, failures);
    const changed = { ...job, place: step.next, done: job.done + done, failed: job.failed + failures.length };
    return step.next ? changed : { ...changed, state: 'done' as const, endedAt: tx.now };
  });
}

function counted(job: FolderJob, items: number, next: FolderPlace | null): FolderJob {
  return { ...job, total: job.total + items, place: next, state: next ? 'counting' : 'running' };
}

/** Writes the next state of a job, if nobody else has changed it. */
async function save(
  { metadata }: Deps,
  job: FolderJob,
  work: (tx: Transaction<FileTables | 'folderJobs'>) => Promise<FolderJob>,
): Promise<FolderJob | undefined> {
  return metadata.atomically(
    async (tx) => {
      const current = await tx.folderJobs.find(job.id);
      const isOurs = current?.state === job.state && JSON.stringify(current.place) === JSON.stringify(job.place);
      if (!isOurs) return undefined;
      const next = await work(tx);
      const saved = { ...next, dueAt: hasEnded(next) ? null : tx.now + leaseMs };
      await tx.folderJobs.put(saved);
      return saved;
    },
    { account: job.accountId },
  );
}

async function changeAll(
  tx: Transaction<FileTables>,
  { ids }: Pick<Deps, 'ids'>,
  job: FolderJob,
  { items }: FolderStep,
): Promise<Outcome> {
  const account = await tx.accounts.find(job.accountId);
  if (!account) throw new Error(`The account ${job.accountId} has gone.`);
  const rules = await tx.rules.listOf(job.accountId);
  const failures: FolderFailure[] = [];
  let done = 0;
  for (const item of items) {
    const result = await changeItem(tx, { ids, account, rules }, job, item);
    if (typeof result === 'string') failures.push({ objectId: formatObjectId(item), code: result });
    else if (result) done++;
  }
  return { done, failures };
}

async function addFailures(
  tx: Transaction<'folderJobs'>,
  { id, failed }: FolderJob,
  failures: readonly FolderFailure[],
): Promise<void> {
  for (const [at, failure] of failures.entries())
    if (failed + at < maxFailures) await tx.folderJobs.addFailure(id, failed + at, failure);
}

/** Does the same work as a real run, and undoes it. */
async function dryOutcome(deps: Deps, job: FolderJob, step: FolderStep): Promise<Outcome> {
  try {
    return await deps.metadata.atomically(
      async (tx): Promise<never> => {
        throw new DryRun(await changeAll(tx, deps, job, step));
      },
      { account: job.accountId },
    );
  } catch (error) {
    if (error instanceof DryRun) return error.outcome;
    throw error;
  }
}
