import { systemActor } from '#server/domain/activity/activity.ts';
import type { Metadata } from '#server/domain/ports/metadata.ts';
import { together } from '#server/domain/in-sets.ts';
import { SetSize } from '#server/domain/set-size.ts';
import { sweep } from '#server/domain/sweep.ts';
import { purgeVersion } from '#server/features/files/purge-version.ts';
import type { FileTables } from '#server/features/files/table.ts';
import type { TrashedVersion } from '#server/features/files/trash-table.ts';
import { purgeUncounted } from './purge-uncounted.ts';

/** Versions that are read in one step. */
const stepSize = 50;

interface Deps {
  readonly metadata: Metadata<FileTables>;
}

/**
 * Removes the versions whose time in the trash is over at `now`, and those beyond the numbers of rules that were saved
 * since the last run. Returns how many. Two runs may overlap.
 */
export async function purgeTrash({ metadata }: Deps, now: number): Promise<number> {
  const sizes = new SetSize();
  const due = await sweep(
    stepSize,
    (limit) => metadata.read.trash.due(now, limit),
    (versions) => purgeAll(metadata, versions, sizes),
  );
  return due + (await purgeUncounted({ metadata }));
}

/** Removes everything that the trash keeps of an account. */
export function emptyTrash({ metadata }: Deps, accountId: string): Promise<number> {
  const sizes = new SetSize();
  return sweep(
    stepSize,
    (limit) => metadata.read.trash.someOf(accountId, limit),
    (versions) => purgeAll(metadata, versions, sizes),
  );
}

async function purgeAll(
  metadata: Deps['metadata'],
  versions: readonly TrashedVersion[],
  sizes: SetSize,
): Promise<number> {
  for (const [account, some] of Map.groupBy(versions, ({ accountId }) => accountId))
    await sizes.each(some, (set) =>
      metadata.atomically(
        (tx) => sizes.measured(set, () => together(set, (version) => purgeVersion(tx, version, systemActor))),
        { account },
      ),
    );
  return versions.length;
}
