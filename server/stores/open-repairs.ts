import { rm } from 'node:fs/promises';
import { join } from 'node:path';

import type { BackupPlace } from '#server/config/backup.ts';
import type { Config } from '#server/config/config.ts';
import { findGeneration, generationNames } from '#server/domain/backup/generation.ts';
import { IndexLog } from '#server/domain/backup/index-log.ts';
import type { BlobSources } from '#server/domain/store-check/blob-repair.ts';
import { SqliteBlobIndex } from './backup/sqlite-blob-index.ts';
import type { Encrypt } from './encrypted/encrypted-blobs.ts';
import { openTarget } from './open-target.ts';
import { scratchIn } from './scratch.ts';

/**
 * Opens a backup to take blobs from it.
 *
 * @param encrypt of the stores that are repaired
 */
export async function openRepairs(
  place: BackupPlace,
  config: Config,
  encrypt: Encrypt,
): Promise<NonNullable<BlobSources['backup']> & AsyncDisposable> {
  await using opening = new AsyncDisposableStack();
  const opened = opening.adopt(await openTarget(place, false), (one) => one.close());
  const blobs = opening.adopt(encrypt(opened.blobs), (one) => one.close());
  const target = { ...opened, blobs };
  const scratch = opening.adopt(await scratchIn(config.dataDir, 'repair'), (folder) =>
    rm(folder, { recursive: true, force: true }),
  );
  const index = opening.adopt(await SqliteBlobIndex.open(join(scratch, 'index.db')), (one) => one.close());
  const newest = (await generationNames(target)).at(-1);
  await IndexLog.read(target, newest === undefined ? [] : (await findGeneration(target, newest)).index, index);
  const all = opening.move();
  return { target, index, [Symbol.asyncDispose]: () => all.disposeAsync() };
}
