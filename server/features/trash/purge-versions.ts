import type { Actor } from '#server/domain/activity/activity.ts';
import { purgeVersion } from '#server/features/files/purge-version.ts';
import type { FileTables } from '#server/features/files/table.ts';
import type { Writes } from '#server/domain/ports/metadata.ts';
import { Refusal } from '#server/domain/refusal.ts';
import { eachVersion, type VersionOutcome } from './each-version.ts';
import { findVersion, type TrashView } from './find-version.ts';

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
