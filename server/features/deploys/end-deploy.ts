import { deployBackoffMs } from './limits.ts';
import type { Transaction, Writes } from '#server/domain/ports/metadata.ts';
import { changeDeploy } from './deploy-event.ts';
import { afterEvent, type Deploy } from './deploy.ts';

/**
 * The outcome of a run:
 * - `success` and `failure`: the command's exit code was 0, or not
 * - `try again`: the repository could not be read, so the deploy is tried again
 * - `stopped`: the runner was stopped, so the run does not count as a try
 *
 * A deploy that somebody wants to cancel is cancelled by the last two.
 */
export type DeployOutcome = 'success' | 'failure' | 'try again' | 'stopped';

/**
 * Ends a run and its lease.
 *
 * @param deploy as it was taken, with the message if that has become known
 * @returns the deploy afterwards; undefined when the lease was lost meanwhile, so that the outcome does not count
 */
export function endDeploy(
  { metadata }: { readonly metadata: Writes<'apps' | 'commitStatuses' | 'deploys' | 'events'> },
  deploy: Deploy,
  outcome: DeployOutcome,
): Promise<Deploy | undefined> {
  return metadata.atomically(async (tx) => {
    const stored = await tx.deploys.find(deploy.id);
    if (!stored) return undefined;
    const after = await afterOutcome(tx, { ...deploy, cancelRequestedAt: stored.cancelRequestedAt }, outcome);
    return (await changeDeploy(tx, deploy, after)) ? after : undefined;
  });
}

async function afterOutcome(tx: Transaction<'deploys'>, deploy: Deploy, outcome: DeployOutcome): Promise<Deploy> {
  switch (outcome) {
    case 'success':
      return afterEvent(deploy, 'succeeded', {}, tx.now);
    case 'failure':
      return afterEvent(deploy, 'failed', {}, tx.now);
    case 'try again':
      return triedAgain(tx, deploy);
    case 'stopped':
      return waitingAgain(tx, deploy, { tries: deploy.tries - 1, dueAt: tx.now });
  }
}

/**
 * Returns a deploy after a run that could not read the repository or lost its runner. It waits for its next try, or has
 * failed after the last.
 */
export async function triedAgain(tx: Transaction<'deploys'>, deploy: Deploy): Promise<Deploy> {
  const backoffMs = deployBackoffMs[deploy.tries - 1];
  return backoffMs === undefined && deploy.cancelRequestedAt === null
    ? afterEvent(deploy, 'failed', {}, tx.now)
    : waitingAgain(tx, deploy, { dueAt: tx.now + (backoffMs ?? 0) });
}

/** Returns a deploy that waits again. It has ended if it is to be cancelled, or a newer one of its branch waits. */
async function waitingAgain(
  tx: Transaction<'deploys'>,
  deploy: Deploy,
  change: Partial<Pick<Deploy, 'tries' | 'dueAt'>>,
): Promise<Deploy> {
  if (deploy.cancelRequestedAt !== null) return afterEvent(deploy, 'cancelled', {}, tx.now);
  const newer = await tx.deploys.waiting(deploy.appId, deploy.branch);
  return afterEvent(deploy, newer ? 'overtaken' : 'given back', change, tx.now);
}
