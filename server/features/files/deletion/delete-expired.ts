import { systemActor } from '#server/domain/activity/activity.ts';
import type { Metadata } from '#server/domain/ports/metadata.ts';
import { SetSize } from '#server/domain/set-size.ts';
import { sweep } from '#server/domain/sweep.ts';
import { removeDue } from './delete-objects.ts';
import { isExpired, type StoredObject } from '../object.ts';
import type { FileTables } from '../table.ts';

interface Deps {
  readonly metadata: Metadata<FileTables>;
}

/** Files that are read in one step. */
const stepSize = 50;

/** Accounts whose files are deleted at the same time, in a transaction each. Many small ones then share commits. */
const accountsAtOnce = 5;

/**
 * Removes the rows of the files that have expired at `now`. Readers have not seen them since they expired. The reaper
 * removes their bytes. Returns how many there were. Two runs may overlap.
 */
export function deleteExpired({ metadata }: Deps, now: number): Promise<number> {
  const sizes = new SetSize();
  const isDueIn = async () => (object: StoredObject) => isExpired(object, now);
  return sweep(
    stepSize,
    (limit) => metadata.read.objects.expired(now, limit),
    async (expired) => {
      const accounts = [...Map.groupBy(expired, ({ accountId }) => accountId)];
      let deleted = 0;
      for (let at = 0; at < accounts.length; at += accountsAtOnce) {
        const removals = accounts
          .slice(at, at + accountsAtOnce)
          .map(([account, addresses]) =>
            removeDue(metadata, { account, addresses, sizes, actor: systemActor, isDueIn }),
          );
        for (const count of await Promise.all(removals)) deleted += count;
      }
      return deleted;
    },
  );
}
