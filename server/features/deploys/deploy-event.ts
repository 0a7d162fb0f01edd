import type { Transaction } from '#server/domain/ports/metadata.ts';
import type { Deploy } from './deploy.ts';
import { queueStatus } from './queue-status.ts';

declare module '#server/domain/events/event-details.ts' {
  interface DetailsBySubject {
    readonly deploy: {
      readonly deploy: Pick<Deploy, 'id' | 'appId' | 'state' | 'branch' | 'commit' | 'message' | 'tries'>;
    };
  }
}

type Tx = Transaction<'apps' | 'commitStatuses' | 'deploys' | 'events'>;

/** Adds an event about a deploy to those of its application's account, and queues the report to the git host. */
export async function recordDeployEvent(
  tx: Transaction<'apps' | 'commitStatuses' | 'events'>,
  type: 'deploy.queued' | 'deploy.started' | 'deploy.ended',
  deploy: Omit<Deploy, 'sequence'>,
): Promise<void> {
  const { id, appId, state, branch, commit, message, tries } = deploy;
  await queueStatus(tx, deploy);
  const app = await tx.apps.find(appId);
  if (!app) return;
  const data = { deploy: { id, appId, state, branch, commit, message, tries } };
  await tx.events.add({ accountId: app.accountId, type, key: null, data }, tx.now);
}

/** Changes a deploy as the table does, and adds the event if it has begun or ended. */
export async function changeDeploy(tx: Tx, before: Deploy, after: Deploy): Promise<boolean> {
  if (!(await tx.deploys.change(before, after))) return false;
  if (after.state === 'running') await recordDeployEvent(tx, 'deploy.started', after);
  else if (after.state !== 'pending') await recordDeployEvent(tx, 'deploy.ended', after);
  return true;
}
