import { deployLeaseMs } from '../limits.ts';
import type { Ids } from '../ports/ids.ts';
import type { Transaction, Writes } from '../ports/metadata.ts';
import { afterEvent, type Deploy } from './deploy.ts';
import { triedAgain } from './end-deploy.ts';

interface Deps {
  readonly metadata: Writes<'deploys'>;
  readonly ids: Pick<Ids, 'opaqueId'>;
}

interface TakenDeploy {
  /** The deploy that now runs under the caller's lease; undefined when none may begin. */
  readonly deploy: Deploy | undefined;
  /** Deploys that have failed because their runner disappeared in their last try. */
  readonly abandoned: readonly Deploy[];
}

/** Leases the next deploy that may begin. First gives back the deploys whose lease has ended. */
export function takeDeploy({ metadata, ids }: Deps): Promise<TakenDeploy> {
  return metadata.atomically(async (tx) => {
    const abandoned: Deploy[] = [];
    for (const lost of await tx.deploys.leaseEnded(tx.now)) {
      const after = await triedAgain(tx, lost);
      await tx.deploys.change(lost, after);
      if (after.state === 'error') abandoned.push(after);
    }
    const due = await tx.deploys.nextDue(tx.now);
    return { deploy: due && (await begun(tx, ids, due)), abandoned };
  });
}

async function begun(tx: Transaction<'deploys'>, ids: Deps['ids'], due: Deploy): Promise<Deploy> {
  const deploy = afterEvent(
    due,
    'taken',
    { tries: due.tries + 1, lease: { id: ids.opaqueId(), until: tx.now + deployLeaseMs } },
    tx.now,
  );
  await tx.deploys.change(due, deploy);
  return deploy;
}
