import type { BlobStore } from '../ports/blobs.ts';
import type { BlobIndex, IndexEntry, NeededBlob } from './blob-index.ts';
import { copyVerified } from './copy-verified.ts';
import type { IndexLog } from './index-log.ts';
import type { BackupTarget, OnBackupStep } from './target.ts';

/** Blobs of a few megabytes keep a disk and a network busy at this number. */
const parallelCopies = 8;

const pageRows = 1_000;

/** After this many blobs or bytes the index is written. A killed backup sends at most these again. */
const flushed = { count: 4_000, bytes: 256 * 1024 * 1024 };

interface Deps {
  readonly source: Pick<BlobStore, 'open'>;
  readonly target: Pick<BackupTarget, 'blobs'>;
  readonly index: BlobIndex;
  readonly log: IndexLog;
}

/**
 * Sends the named blobs that the target lacks, and adds them to its index. `damaged` has the ids of those that the
 * store lacks, or has with other bytes than their rows say.
 */
export async function sendBlobs(
  { source, target, index, log }: Deps,
  { signal, onStep }: { readonly signal: AbortSignal; readonly onStep: OnBackupStep },
) {
  const total = index.missing();
  const damaged: string[] = [];
  let [count, bytes, doneBytes, doneFiles] = [0, 0, 0, 0];
  let pending: IndexEntry[] = [];
  let pendingBytes = 0;
  const flush = async (): Promise<void> => {
    const entries = pending;
    [pending, pendingBytes] = [[], 0];
    await log.add(entries);
    index.add(entries);
  };
  const send = async (blob: NeededBlob): Promise<void> => {
    signal.throwIfAborted();
    const { blobId } = blob;
    const copied = await copyVerified(source, target.blobs, blob, signal);
    doneBytes += blob.sizeBytes ?? 0;
    doneFiles += 1;
    const files = { done: doneFiles, total: total.count };
    onStep({ doing: 'copying files', done: doneBytes, total: total.bytes, files });
    if (typeof copied === 'object') {
      pending.push({ blobId, ...copied, endedIn: null });
      count += 1;
      bytes += copied.sizeBytes;
      pendingBytes += copied.sizeBytes;
    } else if (copied === 'damaged' || blob.sizeBytes !== null) damaged.push(blobId);
  };
  try {
    for (let last = ''; ;) {
      const page = index.missingAfter(last, pageRows);
      if (page.length === 0) break;
      last = page.at(-1)!.blobId;
      await inParallel(page, send);
      if (pending.length >= flushed.count || pendingBytes >= flushed.bytes) await flush();
    }
  } finally {
    // What was sent before a failure need not be sent again.
    await flush();
  }
  return { count, bytes, damaged };
}

/** Runs work for each item, some at once. Waits for all that has begun before it throws the first error. */
export async function inParallel<T>(items: readonly T[], work: (item: T) => Promise<void>): Promise<void> {
  let next = 0;
  let failure: { readonly error: unknown } | undefined;
  const worker = async (): Promise<void> => {
    while (next < items.length && !failure) {
      try {
        await work(items[next++]!);
      } catch (error) {
        failure ??= { error };
      }
    }
  };
  await Promise.all(Array.from({ length: Math.min(parallelCopies, items.length) }, worker));
  if (failure) throw failure.error;
}
