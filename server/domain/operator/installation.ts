import type { AccountSums } from '../account/table.ts';
import type { DiskSpace } from '../ports/disk-space.ts';
import type { Reads } from '../ports/metadata.ts';

interface Deps {
  readonly metadata: Reads<'accounts' | 'contents' | 'purges'>;
  readonly diskSpace: Pick<DiskSpace, 'state'>;
  /** Where rows and bytes are. */
  readonly places: Pick<Installation, 'database' | 'blobs'>;
}

/** The whole installation. Sizes are bytes. */
export interface Installation extends AccountSums {
  readonly database: 'sqlite' | 'postgres';
  readonly blobs: 'folder' | 'bucket';
  /** Blobs that no row names, whose bytes a job removes. Counted up to a million. */
  readonly blobsToDelete: number;
  /** Public addresses that the CDN has yet to drop. Counted up to a million. */
  readonly purgesWaiting: number;
  readonly disk: ReturnType<DiskSpace['state']>;
}

/** A longer queue takes too long to count. */
const mostCounted = 1_000_000;

/** Returns what the installation stores, and the space that it has left. */
export async function installation({ metadata, diskSpace, places }: Deps): Promise<Installation> {
  const [sums, blobsToDelete, purgesWaiting] = await Promise.all([
    metadata.read.accounts.sums(),
    metadata.read.contents.countMarked(mostCounted),
    metadata.read.purges.count(mostCounted),
  ]);
  return { ...sums, ...places, blobsToDelete, purgesWaiting, disk: diskSpace.state() };
}
