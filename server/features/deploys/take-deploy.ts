import { deployLeaseMs } from './limits.ts';
import type { Ids } from '#server/domain/ports/ids.ts';
import type { Transaction, Writes } from '#server/domain/ports/metadata.ts';
import { changeDeploy } from './deploy-event.ts';
import { afterEvent, type Deploy } from './deploy.ts';
import { triedAgain } from './end-deploy.ts';

interface Deps {
  readonly metadata: Writes<'apps' | 'commitStatuses' | 'deploys' | 'events'>;
  readonly ids: Pick<Ids, 'opaqueId'>;
}

interface TakenDeploy {
  /** The deploy that now runs under the caller's lease; undefined when none may begin. */
  readonly deploy: Deploy | undefined;
  /** Deploys that have failed because their runner disappeared in their last try. */
  readonly abandoned: readonly Deploy[];
}

/**
 * Leases the next deploy that may begin. First gives back the deploys whose lease has ended. A deploy that another
 * process has changed meanwhile is left to that process.
 */
export function takeDeploy({ metadata, ids }: Deps): Promise<TakenDeploy> {
  return metadata.atomically(async (tx) => {
    const abandoned: Deploy[] = [];
    for (const lost of await tx.deploys.leaseEnded(tx.now)) {
      const after = await triedAgain(tx, lost);
      if ((await changeDeploy(tx, lost, after)) && after.state === 'error') abandoned.push(after);
    }
    return { deploy: await beginNext(tx, ids), abandoned };
  });
}

/** Begins the oldest deploy that is due. If another process begins it first, tries the one after it. */
async function beginNext(
  tx: Transaction<'apps' | 'commitStatuses' | 'deploys' | 'events'>,
  ids: Deps['ids'],
): Promise<Deploy | undefined> {
  for (;;) {
    const due = await tx.deploys.nextDue(tx.now);
    if (!due) return undefined;
    const deploy = await begin(tx, ids, due);
    if (deploy) return deploy;
  }
}

/** Returns the deploy as it runs now, or undefined if it has changed since it was read. */
async function begin(
  tx: Transaction<'apps' | 'commitStatuses' | 'deploys' | 'events'>,
  ids: Deps['ids'],
  due: Deploy,
): Promise<Deploy | undefined> {
  if (due.cancelRequestedAt !== null) {
    // Somebody requested it while its runner gave it back.
    await changeDeploy(tx, due, afterEvent(due, 'cancelled', {}, tx.now));
    return undefined;
  }
  const deploy = afterEvent(
    due,
    'taken',
    { tries: due.tries + 1, lease: { id: ids.opaqueId(), until: tx.now + deployLeaseMs } },
    tx.now,
  );
  return (await changeDeploy(tx, due, deploy)) ? deploy : undefined;
}
