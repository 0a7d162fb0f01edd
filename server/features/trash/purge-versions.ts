import type { Reach } from '#server/domain/access/requester.ts';
import type { Actor } from '#server/domain/activity/activity.ts';
import { purgeVersion } from '#server/features/files/purge-version.ts';
import type { FileTables } from '#server/features/files/table.ts';
import type { TrashedVersion } from '#server/features/files/trash-table.ts';
import type { Transaction, Writes } from '#server/domain/ports/metadata.ts';
import { eachVersion, type VersionOutcome } from './each-version.ts';

interface Deps {
  readonly metadata: Writes<FileTables>;
}

interface PurgeVersions extends Reach {
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
  const work = (tx: Transaction<FileTables>, version: TrashedVersion) => purgeVersion(tx, version, actor);
  return eachVersion(metadata, { ...view, versionIds, failure: 'PURGE_FAILED', work });
}
