import { deployBackoffMs } from '../limits.ts';
import type { Transaction, Writes } from '../ports/metadata.ts';
import { afterEvent, type Deploy } from './deploy.ts';

/**
 * How a run ended: the command's exit code was 0 or another; the repository could not be read, which another try may
 * mend; or the runner was stopped, and what it began was no try.
 */
export type DeployOutcome = 'success' | 'failure' | 'try again' | 'stopped';

/**
 * Ends a run and its lease, and answers the deploy as it is then; undefined when the lease was lost meanwhile, so that
 * the outcome counts no more.
 *
 * @param deploy as it was taken; a message that has become known since is stored
 */
export function endDeploy(
  { metadata }: { readonly metadata: Writes<'deploys'> },
  deploy: Deploy,
  outcome: DeployOutcome,
): Promise<Deploy | undefined> {
  return metadata.atomically(async (tx) => {
    const after = await afterOutcome(tx, deploy, outcome);
    return (await tx.deploys.change(deploy, after)) ? after : undefined;
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

/** A deploy whose run came to nothing, waiting for its next try; failed when that was the last one. */
export async function triedAgain(tx: Transaction<'deploys'>, deploy: Deploy): Promise<Deploy> {
  const backoffMs = deployBackoffMs[deploy.tries - 1];
  return backoffMs === undefined
    ? afterEvent(deploy, 'failed', {}, tx.now)
    : waitingAgain(tx, deploy, { dueAt: tx.now + backoffMs });
}

/** It waits, unless a newer one of its branch does. */
async function waitingAgain(
  tx: Transaction<'deploys'>,
  deploy: Deploy,
  change: Partial<Pick<Deploy, 'tries' | 'dueAt'>>,
): Promise<Deploy> {
  const newer = await tx.deploys.waiting(deploy.appId, deploy.branch);
  return afterEvent(deploy, newer ? 'overtaken' : 'given back', change, tx.now);
}
