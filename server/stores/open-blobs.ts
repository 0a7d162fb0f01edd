import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

import { allEnded } from '#server/domain/all-ended.ts';
import type { Config } from '#server/config/config.ts';
import { rootIdOf } from '#server/domain/blob-id.ts';
import type { BlobAddresses, BlobQuarantine, BlobUpkeep, RawBlobStore } from '#server/domain/ports/blobs.ts';
import type { Log } from '#server/log.ts';
import { blobQuarantine } from './blob-quarantine.ts';
import { BucketUnusable } from './bucket-unusable.ts';
import { FilesystemBlobStore } from './filesystem/blobs.ts';
import { areFilesUnused } from './move/moved.ts';
import type { WatchedDisk } from './filesystem/watched-disk.ts';

/** The store of the larger files, whose bytes it keeps as they are given to it. */
export interface OpenedBlobs {
  readonly blobs: RawBlobStore;
  readonly upkeep: BlobUpkeep;
  readonly quarantine: BlobQuarantine;
  /** Set if clients are to be sent to the store itself. */
  readonly addresses: BlobAddresses | undefined;
  /** Whether the store does not work at the moment. Undefined for one that is a part of this machine. */
  readonly isDown: (() => boolean) | undefined;
  close(): Promise<void>;
}

interface OpenBlobsOptions {
  readonly disk: WatchedDisk;
  readonly sync: boolean;
  /** Whether it is opened to move blobs from it or to it. Then it is no matter whether it is the store. */
  readonly isMoved?: boolean;
}

/** Beside the blobs, under a name that is none of a blob. */
const quarantineName = 'quarantine';

/** Opens the files of the data folder. */
async function openFiles({ dataDir }: Config, { disk, sync, isMoved = false }: OpenBlobsOptions): Promise<OpenedBlobs> {
  if (!isMoved && areFilesUnused(dataDir)) {
    throw new BucketUnusable(
      `The files in ${join(dataDir, 'blobs')} have moved, or a move to them is not finished: see ` +
        `${join(dataDir, 'blobs', 'not-in-use.txt')}. Set CUBBY_BLOBS_URL to where they are, or run "cubby store ` +
        'migrate" again.',
    );
  }
  const files = await FilesystemBlobStore.open(join(dataDir, 'blobs'), { sync, disk });
  let kept: FilesystemBlobStore | undefined;
  const openKept = async () =>
    (kept ??= await FilesystemBlobStore.open(join(dataDir, 'blobs', quarantineName), { sync, disk }));
  return {
    blobs: files,
    upkeep: files,
    quarantine: blobQuarantine(files, openKept),
    addresses: undefined,
    isDown: undefined,
    close: () => allEnded([files, kept].map(async (store) => store?.close())),
  };
}

/** Opens the configured store. The code of the bucket is loaded only if there is one. */
export async function openBlobs(config: Config, log: Log, options: OpenBlobsOptions): Promise<OpenedBlobs> {
  const { bucket } = config;
  if (!bucket) return openFiles(config, options);
  const { BucketBlobStore } = await import('./bucket/bucket-blobs.ts');
  const { standardOptions } = await import('./bucket/options.ts');
  const onDown = (isDown: boolean): void => {
    if (isDown)
      log.error('THE BUCKET DOES NOT WORK: larger files are refused until it does. Small files and the rest go on');
    else log.info('the bucket works again');
  };
  const store = new BucketBlobStore(bucket, { ...standardOptions, onDown });
  // Teaches the store the time of the bucket before the first address is signed.
  if (bucket.redirects) void store.isEmpty().catch(() => {});
  const kept = new BucketBlobStore({ ...bucket, prefix: `${bucket.prefix}${quarantineName}/` });
  return {
    blobs: store,
    upkeep: store,
    quarantine: blobQuarantine(store, async () => kept),
    addresses: bucket.redirects ? addressesOf(store) : undefined,
    isDown: () => store.isDown,
    close: () => allEnded([store.close(), kept.close()]),
  };
}

/** An encrypted blob has no address: its bytes are of no use to clients. */
function addressesOf(store: BlobAddresses): BlobAddresses {
  return {
    addressOf: (blobId, presented, lifetimeSeconds) =>
      rootIdOf(blobId) === undefined ? store.addressOf(blobId, presented, lifetimeSeconds) : undefined,
  };
}

/**
 * Checks before a server starts that its bucket takes the key pair and belongs to its database.
 *
 * @param isNew whether there is no database yet
 * @throws {BucketUnusable}
 */
export async function requireBucket(config: Config, log: Log, isNew: boolean): Promise<void> {
  const { bucket, dataDir } = config;
  if (!bucket) return;
  const folder = join(dataDir, 'blobs');
  if (holdsFiles(folder) && !areFilesUnused(dataDir)) {
    throw new BucketUnusable(
      `The larger files of this installation are in ${folder}, but CUBBY_BLOBS_URL names a bucket. Unset it, or ` +
        'move the files into the bucket, under their names alone, and remove the folder.',
    );
  }
  const { BucketBlobStore } = await import('./bucket/bucket-blobs.ts');
  const { BucketRefused } = await import('./bucket/errors.ts');
  const store = new BucketBlobStore(bucket);
  try {
    if ((await store.isEmpty()) || !isNew) return;
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    if (isNew || error instanceof BucketRefused)
      throw new BucketUnusable(`${message} See CUBBY_BLOBS_URL.`, { cause: error });
    return log.warn({ error }, 'the bucket cannot be reached: the server starts without it');
  } finally {
    await store.close();
  }
  throw new BucketUnusable(
    `The data folder ${dataDir} has no database, but objects are below s3://${bucket.bucket}/${bucket.prefix} ` +
      'already. Restore the last backup of the database, or name an empty prefix in CUBBY_BLOBS_URL.',
  );
}

function holdsFiles(folder: string): boolean {
  if (!existsSync(folder)) return false;
  return readdirSync(folder, { withFileTypes: true }).some(
    (shard) => shard.isDirectory() && readdirSync(join(folder, shard.name)).length > 0,
  );
}
