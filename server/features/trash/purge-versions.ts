import type { Reach } from '#server/domain/access/requester.ts';
import type { Actor } from '#server/domain/activity/activity.ts';
import { purgeVersion, requirePurgeable } from '#server/features/files/purge-version.ts';
import type { FileTables } from '#server/features/files/table.ts';
import type { TrashedObject } from '#server/features/files/trash-table.ts';
import type { Transaction, Writes } from '#server/domain/ports/metadata.ts';
import { eachVersion, type VersionOutcome } from './each-version.ts';

interface Deps {
  readonly metadata: Writes<FileTables>;
}

interface PurgeVersions extends Reach {
  readonly versionIds: readonly string[];
  /** @see mayPurgeKept */
  readonly mayPurgeKept: boolean;
  readonly actor: Actor;
}

/**
 * Removes versions from the trash for good, each on its own.
 *
 * @throws VERSION_NOT_FOUND, VERSION_KEPT, PURGE_FAILED if one version is named
 */
export async function purgeVersions(
  { metadata }: Deps,
  { versionIds, mayPurgeKept, actor, ...view }: PurgeVersions,
): Promise<Array<VersionOutcome<true>>> {
  const work = async (tx: Transaction<FileTables>, version: TrashedObject) => {
    requirePurgeable(version, tx.now, mayPurgeKept);
    return purgeVersion(tx, version, actor);
  };
  return eachVersion(metadata, { ...view, versionIds, failure: 'PURGE_FAILED', work });
}
