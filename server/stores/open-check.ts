import type { BackupPlace } from '#server/config/backup.ts';
import type { Config } from '#server/config/config.ts';
import type { BlobSources } from '#server/domain/store-check/blob-repair.ts';
import type { CheckOptions } from '#server/domain/store-check/check-deps.ts';
import { checkStore, type CheckReport } from '#server/domain/store-check/check-store.ts';
import type { Stores } from './open.ts';
import { openRepairs } from './open-repairs.ts';

interface CheckedStore {
  readonly stores: Stores;
  readonly config: Config;
  /** Where repairs find the bytes of damaged and lost files. */
  readonly place: BackupPlace | undefined;
}

/** Checks stores that are open. */
export async function checkOpenStore(
  { stores, config, place }: CheckedStore,
  options: CheckOptions,
): Promise<CheckReport> {
  const { metadata, blobs, quarantine, databaseProblems } = stores;
  await using backup = place && (await openRepairs(place, config, stores.encryption.encrypt));
  const sources: BlobSources = { blobs, quarantine, backup };
  return await checkStore({ metadata, sources, databaseProblems }, options);
}
