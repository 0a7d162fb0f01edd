import type { Metadata } from '#server/domain/ports/metadata.ts';
import type { JobName } from '../jobs/jobs.ts';
import type { Metrics } from '../metrics.ts';
import type { UpkeepFigures } from '../metrics/upkeep.ts';
import type { Stores } from '../stores/open.ts';

/** The sums read every account, so they are read at most this often. */
const sumsEveryMs = 60_000;

/** The backlog reads some thousand entries of indexes. */
const backlogEveryMs = 15_000;

/** A longer backlog is counted only this far. */
const longestBacklog = 10_000;

/** Adds the state of the stores to the metrics. It is read when somebody reads the metrics. */
export function watchStores(metrics: Metrics, stores: Stores): void {
  const { metadata, diskSpace, areBlobsDown, queues, monotonic, replicas } = stores;
  metrics.watchDisk(() => diskSpace.state());
  if (areBlobsDown) metrics.watchBucket(areBlobsDown);
  if (replicas.ownLink) metrics.watchDatabase(replicas.ownLink);
  for (const [queue, length] of Object.entries(queues)) metrics.watchQueue(queue, length);
  metrics.watchStored(kept(sumsEveryMs, monotonic.nowMs, () => metadata.read.accounts.sums()));
  metrics.watchBacklog(kept(backlogEveryMs, monotonic.nowMs, () => backlogOf(metadata)));
  metrics.watchUpkeep(kept(backlogEveryMs, monotonic.nowMs, () => upkeepOf(stores)));
}

async function upkeepOf({ metadata: { read }, clock }: Stores): Promise<UpkeepFigures> {
  const backups = await read.backups.list();
  const backedUpAt = Math.max(...backups.map(({ completedAt }) => completedAt));
  return {
    damagedContents: await read.storeCheck.damagedCount(),
    backupAgeSeconds: backups.length > 0 ? (clock.now() - backedUpAt) / 1000 : NaN,
  };
}

async function backlogOf({ read }: Metadata): Promise<ReadonlyMap<JobName | 'cdn-purge', number>> {
  return new Map<JobName | 'cdn-purge', number>([
    ['cdn-purge', await read.purges.count(longestBacklog)],
    ['reap-blobs', await read.contents.countMarked(longestBacklog)],
    ['hash-contents', (await read.objects.unhashed('', longestBacklog)).length],
  ]);
}

/**
 * Keeps a value for a while, so that frequent reads of the metrics cost nothing. A failed reading returns the last
 * value, because the other metrics must stay readable while the database is not.
 */
function kept<T>(forMs: number, nowMs: () => number, read: () => Promise<T>): () => Promise<T> {
  let last: { readonly at: number; readonly value: Promise<T> } | undefined;
  return async () => {
    if (last && nowMs() - last.at < forMs) return last.value;
    const before = last?.value;
    const value = read().catch((error: unknown) => {
      if (before) return before;
      throw error;
    });
    last = { at: nowMs(), value };
    return value;
  };
}
