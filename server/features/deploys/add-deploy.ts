import type { Ids } from '#server/domain/ports/ids.ts';
import type { Transaction } from '#server/domain/ports/metadata.ts';
import { shortId } from '#server/domain/short-id.ts';
import { changeDeploy, recordDeployEvent } from './deploy-event.ts';
import { afterEvent, type Deploy } from './deploy.ts';

/** What is deployed. */
type NewDeploy = Pick<Deploy, 'appId' | 'branch' | 'commit' | 'message' | 'repository' | 'host'>;

interface Options {
  readonly ids: Pick<Ids, 'lettersOf'>;
  /**
   * Deploys of a branch begin at least this far apart. Those in between replace each other. 0 begins each as soon as
   * possible.
   */
  readonly apartMs: number;
}

/** Queues a deploy. A waiting one of the same branch is superseded. Returns its id. */
export async function addDeploy(
  tx: Transaction<'apps' | 'commitStatuses' | 'deploys' | 'events'>,
  { ids, apartMs }: Options,
  added: NewDeploy,
): Promise<string> {
  const { appId, branch } = added;
  const waiting = await tx.deploys.waiting(appId, branch);
  const dueAt = apartMs === 0 ? tx.now : dueAfter(await tx.deploys.newestOfBranch(appId, branch), tx.now, apartMs);
  if (waiting) await changeDeploy(tx, waiting, afterEvent(waiting, 'overtaken', {}, tx.now));
  const deploy: Omit<Deploy, 'sequence'> = {
    id: shortId(ids, 'dep'),
    ...added,
    state: 'pending',
    createdAt: tx.now,
    updatedAt: tx.now,
    tries: 0,
    dueAt,
    lease: null,
    cancelRequestedAt: null,
  };
  await tx.deploys.add(deploy);
  await recordDeployEvent(tx, 'deploy.queued', deploy);
  return deploy.id;
}

/**
 * Returns when a deploy may begin after the newest one of its branch. It inherits the time of one that has not begun,
 * so frequent pushes do not delay the branch for ever.
 */
function dueAfter(newest: Deploy | undefined, now: number, apartMs: number): number {
  if (!newest) return now;
  const isUnbegun = newest.state === 'pending' && newest.tries === 0;
  const dueAt = isUnbegun ? newest.dueAt : newest.dueAt + apartMs;
  return Math.min(Math.max(now, dueAt), now + apartMs);
}
