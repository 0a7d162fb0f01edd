import { systemActor, type Actor } from '#server/domain/activity/activity.ts';
import { purgeVersion } from '#server/features/files/purge-version.ts';
import type { FileTables } from '#server/features/files/table.ts';
import type { Metadata, Writes } from '#server/domain/ports/metadata.ts';
import { Refusal } from '#server/domain/refusal.ts';
import { sweep } from '#server/domain/sweep.ts';
import { eachVersion, type VersionOutcome } from './each-version.ts';
import { purgeUncounted } from './purge-uncounted.ts';
import { findVersion, type TrashView } from './find-version.ts';
import type { TrashedVersion } from '#server/features/files/trash-table.ts';

interface Deps {
  readonly metadata: Writes<FileTables>;
}

interface PurgeVersions extends TrashView {
  readonly versionIds: readonly string[];
  readonly actor: Actor;
}

/**
 * Removes versions from the trash for good, each on its own.
 *
 * @throws VERSION_NOT_FOUND, PURGE_FAILED if one version is named
 */
export async function purgeVersions(
  { metadata }: Deps,
  { versionIds, actor, ...view }: PurgeVersions,
): Promise<Array<VersionOutcome<true>>> {
  return eachVersion(versionIds, 'PURGE_FAILED', (versionId) =>
    metadata.atomically(
      async (tx) => {
        const version = await findVersion(tx, view, versionId);
        if (!version) throw new Refusal('VERSION_NOT_FOUND');
        return purgeVersion(tx, version, actor);
      },
      { account: view.accountId },
    ),
  );
}

/** Versions that are removed in one step. They are few enough that requests in between do not notice. */
const batchSize = 50;

type SweepDeps = { readonly metadata: Metadata<FileTables> };

/**
 * Removes the versions whose time in the trash is over at `now`, and those beyond the numbers of rules that were saved
 * since the last run. Returns how many. Two runs may overlap.
 */
export async function purgeTrash({ metadata }: SweepDeps, now: number): Promise<number> {
  const due = await sweep(
    batchSize,
    (limit) => metadata.read.trash.due(now, limit),
    (versions) => purgeAll(metadata, versions),
  );
  return due + (await purgeUncounted({ metadata }));
}

/** Removes everything that the trash keeps of an account. */
export function emptyTrash({ metadata }: SweepDeps, accountId: string): Promise<number> {
  return sweep(
    batchSize,
    (limit) => metadata.read.trash.someOf(accountId, limit),
    (versions) => purgeAll(metadata, versions),
  );
}

async function purgeAll(metadata: SweepDeps['metadata'], versions: readonly TrashedVersion[]): Promise<number> {
  for (const [account, some] of Map.groupBy(versions, ({ accountId }) => accountId))
    await metadata.atomically(
      async (tx) => {
        for (const version of some) await purgeVersion(tx, version, systemActor);
      },
      { account },
    );
  return versions.length;
}
