import { systemActor } from '../activity/activity.ts';
import type { Metadata } from '../ports/metadata.ts';
import { sweep } from '../sweep.ts';
import { removeDue } from './delete-objects.ts';
import { isExpired } from './object.ts';
import type { FileTables } from './table.ts';

interface Deps {
  readonly metadata: Metadata<FileTables>;
}

/** Files that are deleted in one transaction. They are few enough that requests in between do not notice. */
const batchSize = 50;

/**
 * Removes the rows of the files that have expired at `now`. Readers have not seen them since they expired. The reaper
 * removes their bytes. Returns how many there were. Two runs may overlap.
 */
export function deleteExpired({ metadata }: Deps, now: number): Promise<number> {
  return sweep(
    batchSize,
    (limit) => metadata.read.objects.expired(now, limit),
    (expired) => metadata.atomically((tx) => removeDue(tx, expired, (object) => isExpired(object, now), systemActor)),
  );
}
