import { systemActor } from '../activity/activity.ts';
import type { Metadata } from '../ports/metadata.ts';
import { removeObject } from './delete-objects.ts';
import { isExpired } from './object.ts';
import { sweep } from '../sweep.ts';

interface Deps {
  readonly metadata: Metadata<'accounts' | 'activity' | 'contents' | 'objects'>;
}

/** Files that are deleted in one transaction: few enough that requests in between do not notice. */
const batchSize = 50;

/**
 * Clears away the files that have expired at `now`; for readers they were gone at their moment. Their bytes are left to
 * the reaper. Answers how many there were. May run twice at once.
 */
export function deleteExpired({ metadata }: Deps, now: number): Promise<number> {
  return sweep(
    batchSize,
    (limit) => metadata.read.objects.expired(now, limit),
    (expired) =>
      metadata.atomically(async (tx) => {
        let removed = 0;
        for (const address of expired) {
          // It may have been replaced or given another date since it was read.
          const object = await tx.objects.find(address);
          if (!object || !isExpired(object, now)) continue;
          await removeObject(tx, address, systemActor);
          removed++;
        }
        return removed;
      }),
  );
}
