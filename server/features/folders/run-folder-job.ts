import { isLive } from '#server/domain/access/api-key.ts';
import { QuotaExceeded, quotaExceeded } from '#server/domain/account/quota.ts';
import { withSpace, type MakeSpace } from '#server/features/files/give-way.ts';
import type { FileTables } from '#server/features/files/table.ts';
import { together } from '#server/domain/in-sets.ts';
import { formatObjectId } from '#server/domain/object-id.ts';
import { SetSize } from '#server/domain/set-size.ts';
import type { Clock } from '#server/domain/ports/clock.ts';
import type { Ids } from '#server/domain/ports/ids.ts';
import type { Metadata, Transaction } from '#server/domain/ports/metadata.ts';
import type { Refusal } from '#server/domain/refusal.ts';
import {
  dropsPublicCopies,
  takeBack,
  type HideDeps,
  type WrittenChange,
} from '#server/features/files/update/hidden-change.ts';
import { isHidden } from '#server/features/files/visibility.ts';
import type { Rule } from '#server/features/rules/rule.ts';
import { changeItem, mayHide, namesOfItems } from './change-item.ts';
import { hasEnded, maxFailures, type FolderFailure, type FolderJob, type FolderPlace } from './folder-job.ts';
import { readFolderStep, type FolderItem, type FolderStep } from './folder-step.ts';

/** The ports that the work on a job needs. */
export interface FolderJobDeps extends Omit<HideDeps, 'metadata'> {
  readonly metadata: Metadata<FileTables | 'apiKeys' | 'folderJobs' | 'purges'>;
  readonly ids: Ids;
  readonly clock: Clock;
}

type Deps = FolderJobDeps;

/** Files that are counted in one step. */
const countedRows = 1000;

/** How long a server keeps a job after each step. Then another server may take it, because this one was killed. */
const leaseMs = 10_000;

/** What became of the files of a step. */
interface Outcome {
  readonly done: number;
  readonly failures: readonly FolderFailure[];
  readonly changes: readonly WrittenChange[];
  /** The refusal of all files together that did not fit into the quota. */
  readonly shortage: Refusal | undefined;
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
 * Takes a job that is due, so that no other server does. A job begins in a later millisecond than the one in which it
 * was started. So everything that it writes is newer than the job.
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
 * each file is changed once, whenever the server is killed. Returns the job as it is then; undefined if it was
 * cancelled, or another server has gone on with it. A step that makes files private waits for the CDN, and makes them
 * public again if it does not drop them, as a single change does.
 *
 * @param sizes of the steps of this job
 */
export async function runFolderStep(deps: Deps, job: FolderJob, sizes: SetSize): Promise<FolderJob | undefined> {
  const { metadata, clock } = deps;
  if (job.state === 'counting') {
    const { items, next } = await readFolderStep(metadata, job, clock.now(), countedRows);
    return save(deps, job, async () => counted(job, items.length, next));
  }
  const step = await readFolderStep(metadata, job, clock.now(), sizes.next);
  const rules = await metadata.read.rules.listOf(job.accountId);
  const changeId = mayHide(job, rules, step.items) ? deps.ids.opaqueId() : undefined;
  const work = { job, rules, sizes, step, changeId };
  const { saved, changes } = await withSpaceFor(deps, job, (makeSpace) => changeStep(deps, work, makeSpace));
  return changeId !== undefined && saved ? settleHidden(deps, saved, changes, changeId) : saved;
}

interface StepWork {
  readonly job: FolderJob;
  readonly rules: readonly Rule[];
  readonly sizes: SetSize;
  readonly step: FolderStep;
  /** Given if the step may make files private. */
  readonly changeId: string | undefined;
}

/**
 * Changes the files of a step, and saves how far the job is. @throws {QuotaExceeded} with `makeSpace`, if it may help
 */
async function changeStep(
  deps: Deps,
  { job, rules, sizes, step, changeId }: StepWork,
  makeSpace?: MakeSpace,
): Promise<{ readonly saved: FolderJob | undefined; readonly changes: readonly WrittenChange[] }> {
  const change = async (tx: Transaction<FileTables>): Promise<Outcome> => {
    await makeSpace?.(tx);
    const outcome = await sizes.measured(step.items, () => changeAll(tx, { ids: deps.ids, rules }, job, step));
    if (makeSpace && outcome.shortage) throw outcome.shortage;
    return outcome;
  };
  const dry = job.isDryRun ? await dryOutcome(deps, job, change) : undefined;
  // If the last files wait for the CDN, the job ends one step later, so that its final numbers are right.
  const next = step.next ?? (changeId !== undefined ? placeOf(step.items.at(-1)!) : null);
  let changes: readonly WrittenChange[] = [];
  const saved = await save(
    deps,
    job,
    async (tx) => {
      const outcome = dry ?? (await change(tx));
      changes = outcome.changes;
      const changed = await addFailures(tx, { ...job, place: next, done: job.done + outcome.done }, outcome.failures);
      return next ? changed : { ...changed, state: 'done' as const, endedAt: tx.now };
    },
    changeId,
  );
  return { saved, changes };
}

/**
 * Copies with what gives way to them. If that is not enough for all files of a step, nothing gives way, and those
 * that do not fit fail. A dry run lets nothing give way.
 */
async function withSpaceFor<T>(
  deps: Deps,
  { accountId, action, isDryRun, choices: { actor, mayPurgeKept } }: FolderJob,
  copy: (makeSpace?: MakeSpace) => Promise<T>,
): Promise<T> {
  if (action !== 'copy' || isDryRun || !mayPurgeKept) return copy();
  try {
    return await withSpace(deps, { ...mayPurgeKept, accountId, actor, clock: deps.clock }, copy);
  } catch (error) {
    if (error instanceof QuotaExceeded) return copy();
    throw error;
  }
}

function placeOf({ space, key }: FolderItem): FolderPlace {
  return { space, key };
}

/**
 * Waits for the CDN to drop what a step has hidden. If it does not, the files are public again, and count as failed.
 */
async function settleHidden(
  deps: Deps,
  job: FolderJob,
  changes: readonly WrittenChange[],
  changeId: string,
): Promise<FolderJob | undefined> {
  const hidden = changes.filter(({ before, after }) => isHidden(before.space, after.space));
  if (changes.length === 0 || (await dropsPublicCopies(deps, changes, changeId)) || hidden.length === 0) return job;
  for (const change of hidden) await takeBack(deps, change, changeId);
  const failures = hidden.map(({ before }) => ({ objectId: formatObjectId(before), code: 'VISIBILITY_CHANGE_FAILED' }));
  return deps.metadata.atomically(
    async (tx) => {
      const current = await tx.folderJobs.find(job.id);
      if (!current) return undefined;
      const corrected = await addFailures(tx, { ...current, done: current.done - hidden.length }, failures);
      await tx.folderJobs.put(corrected);
      return corrected.state === job.state && JSON.stringify(corrected.place) === JSON.stringify(job.place)
        ? corrected
        : undefined;
    },
    { account: job.accountId },
  );
}

function counted(job: FolderJob, items: number, next: FolderPlace | null): FolderJob {
  return { ...job, total: job.total + items, place: next, state: next ? 'counting' : 'running' };
}

/** Whether the key that started a job may still call operations. */
async function hasLiveKey(tx: Transaction<'apiKeys'>, { choices: { actor } }: FolderJob): Promise<boolean> {
  if (actor.keyId === undefined) return true;
  const key = await tx.apiKeys.find(actor.keyId);
  return key !== undefined && isLive(key, tx.now);
}

/** Writes the next state of a job, if nobody else has changed it. The job is cancelled if its key has ended. */
async function save(
  { metadata }: Deps,
  job: FolderJob,
  work: (tx: Transaction<FileTables | 'apiKeys' | 'folderJobs' | 'purges'>) => Promise<FolderJob>,
  purgedChangeId?: string,
): Promise<FolderJob | undefined> {
  return metadata.atomically(
    async (tx) => {
      const current = await tx.folderJobs.find(job.id);
      const isOurs = current?.state === job.state && JSON.stringify(current.place) === JSON.stringify(job.place);
      if (!isOurs) return undefined;
      const next = (await hasLiveKey(tx, job))
        ? await work(tx)
        : { ...job, state: 'cancelled' as const, endedAt: tx.now };
      const saved = { ...next, dueAt: hasEnded(next) ? null : tx.now + leaseMs };
      await tx.folderJobs.put(saved);
      return saved;
    },
    { account: job.accountId, ...(purgedChangeId !== undefined && { purgedChangeId }) },
  );
}

async function changeAll(
  tx: Transaction<FileTables>,
  { ids, rules }: { readonly ids: Ids; readonly rules: readonly Rule[] },
  job: FolderJob,
  { items }: FolderStep,
): Promise<Outcome> {
  const account = await tx.accounts.find(job.accountId);
  if (!account) throw new Error(`The account ${job.accountId} has gone.`);
  const failures: FolderFailure[] = [];
  const changes: WrittenChange[] = [];
  let done = 0;
  let lackingBytes = 0;
  const context = { ids, account, rules };
  const nameOf = await namesOfItems(tx, context, job, items);
  const outcomes = await together(items, (item) => changeItem(tx, context, job, item), nameOf);
  for (const [at, outcome] of outcomes.entries()) {
    if (outcome.kind === 'failed') {
      failures.push({ objectId: formatObjectId(items[at]!), code: outcome.code });
      lackingBytes += outcome.shortage?.addedBytes ?? 0;
    }
    if (outcome.kind !== 'done') continue;
    done++;
    if (outcome.change) changes.push(outcome.change);
  }
  const shortage = lackingBytes > 0 ? quotaExceeded(await tx.accounts.find(job.accountId), lackingBytes) : undefined;
  return { done, failures, changes, shortage };
}

/** Adds failures to a job, of which the first ones are kept. Returns the job with their number. */
async function addFailures(
  tx: Transaction<'folderJobs'>,
  job: FolderJob,
  failures: readonly FolderFailure[],
): Promise<FolderJob> {
  for (const [at, failure] of failures.entries())
    if (job.failed + at < maxFailures) await tx.folderJobs.addFailure(job.id, job.failed + at, failure);
  return { ...job, failed: job.failed + failures.length };
}

/** Does the same work as a real run, and undoes it. */
async function dryOutcome(
  deps: Deps,
  job: FolderJob,
  change: (tx: Transaction<FileTables>) => Promise<Outcome>,
): Promise<Outcome> {
  try {
    return await deps.metadata.atomically(
      async (tx): Promise<never> => {
        throw new DryRun(await change(tx));
      },
      { account: job.accountId },
    );
  } catch (error) {
    if (error instanceof DryRun) return error.outcome;
    throw error;
  }
}
