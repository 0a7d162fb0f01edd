import { chunkId } from './database-chunks.ts';
import { documentOf, keptNames } from './generation.ts';
import type { OpenedBackup } from './open-backup.ts';
import { inParallel } from './send-blobs.ts';
import type { BackupTarget } from './target.ts';

const batchSize = 1_000;

/**
 * Removes generations that are not kept, and the bytes that only they need. If it is cut off, the next one goes on. The
 * document of a generation goes first, so none ever lacks its bytes.
 *
 * @returns the names of the removed generations
 */
export async function pruneBackup(target: BackupTarget, opened: OpenedBackup, keep: number): Promise<string[]> {
  const { names, known, index, log } = opened;
  const kept = keptNames(names, keep);
  const removed = names.filter((name) => !kept.has(name));
  for (const name of removed) {
    await target.documents.delete(documentOf(name));
    known.delete(name);
  }
  names.splice(0, names.length, ...names.filter((name) => kept.has(name)));
  await log.sweep();
  await pruneChunks(target, opened);
  for (;;) {
    const ended = index.endedBy(names[0]!, batchSize).map(({ blobId }) => blobId);
    if (ended.length === 0) return removed;
    await log.drop(ended);
    index.drop(ended);
    await inParallel(ended, (blobId) => target.blobs.delete(blobId));
  }
}

async function pruneChunks({ chunks }: BackupTarget, { chunks: stored, known }: OpenedBackup): Promise<void> {
  const needed = new Set([...known.values()].flatMap(({ database }) => database?.chunks.map(chunkId) ?? []));
  const unneeded = [...stored].filter((id) => !needed.has(id));
  for (const id of unneeded) stored.delete(id);
  await inParallel(unneeded, (id) => chunks.delete(id));
}
