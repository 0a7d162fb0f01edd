import type { BlobQuarantine, BlobStore, BlobUpkeep } from '../ports/blobs.ts';
import type { Metadata } from '../ports/metadata.ts';
import { batched } from '../backup/open-backup.ts';
import { dayMs } from '../day.ts';

interface Deps {
  readonly metadata: Metadata<'contents' | 'reservations'>;
  readonly blobs: Pick<BlobStore, 'ids'>;
  readonly blobUpkeep?: BlobUpkeep;
  readonly quarantine?: BlobQuarantine;
  readonly signal?: AbortSignal;
}

/** Longer than a put takes, and longer than a bucket takes to carry out a lost request. */
const leastAgeMs = dayMs;

/** Ids in one query. */
const batchSize = 100;

/** Orphans of one run. Their ids are in memory. */
const mostAtOnce = 10_000;

/** From this number on, a store with more orphans than other blobs looks like the store of another database. */
const suspiciousCount = 100;

/**
 * Marks blobs for deletion that no row names and that are older than a day, by the store's own clock. Aborts puts that
 * began more than a day ago. A store that cannot have orphans skips both. Deletes blobs that have been in quarantine
 * for a day. Returns the number of all of these.
 *
 * @throws {Error} and marks nothing, when most blobs have no row: the database may be the wrong one
 */
export async function sweepOrphans({ metadata, blobs, blobUpkeep, quarantine, signal }: Deps): Promise<number> {
  const emptied = quarantine ? await emptyQuarantine(quarantine) : 0;
  if (!blobUpkeep?.hasOrphans) return emptied;
  const aborted = emptied + ((await blobUpkeep.abortUploads?.(leastAgeMs)) ?? 0);
  const orphans: string[] = [];
  let seen = 0;
  for await (const batch of batched(oldBlobs(blobs), batchSize)) {
    if (signal?.aborted) return aborted;
    seen += batch.length;
    orphans.push(...(await metadata.read.contents.unnamed(batch)));
    if (orphans.length >= mostAtOnce) break;
  }
  if (orphans.length >= suspiciousCount && 2 * orphans.length > seen)
    throw new Error(
      `${orphans.length} of ${seen} blobs have no row in the database. None was deleted, because this may be the ` +
        'database of other blobs. Restore the right one, or remove the blobs by hand.',
    );
  return aborted + (await mark(metadata, orphans));
}

async function emptyQuarantine(quarantine: BlobQuarantine): Promise<number> {
  let count = 0;
  for await (const { blobId, ageMs } of quarantine.ids()) {
    if (ageMs <= leastAgeMs) continue;
    await quarantine.delete(blobId);
    count += 1;
  }
  return count;
}

/** Marks those that have no row even now. Returns their number. */
async function mark(metadata: Deps['metadata'], orphans: readonly string[]): Promise<number> {
  let marked = 0;
  for (let at = 0; at < orphans.length; at += batchSize) {
    marked += await metadata.atomically(async (tx) => {
      const unnamed = await tx.contents.unnamed(orphans.slice(at, at + batchSize));
      for (const blobId of unnamed) await tx.reservations.markForDeletion(blobId);
      return unnamed.length;
    });
  }
  return marked;
}

async function* oldBlobs(blobs: Deps['blobs']): AsyncGenerator<string> {
  for await (const { blobId, ageMs } of blobs.ids()) if (ageMs > leastAgeMs) yield blobId;
}
