import { BackupRefused, readJson, writeJson, type BackupTarget, type OnBackupStep } from './target.ts';
import type { BlobIndex } from './blob-index.ts';
import { findGeneration, generationNames, markName, type Generation, type TargetMark } from './generation.ts';
import { IndexLog } from './index-log.ts';
import { inParallel } from './send-blobs.ts';
import type { BackupDeps } from './backup-deps.ts';

/** A target that is ready for the next generation. */
export interface OpenedBackup {
  readonly installationId: string;
  readonly index: BlobIndex;
  readonly log: IndexLog;
  /** The ids of the pieces of databases in the target. */
  readonly chunks: Set<string>;
  /** The generations, the oldest first. */
  readonly names: string[];
  /** Documents of generations that were read or written, because each of them is needed again. */
  readonly known: Map<string, Generation>;
}

/** Ids in one step. */
const batchSize = 500;

/**
 * Reads what a target has, and removes what a cut-off backup left without noting it.
 *
 * @param isNew whether an empty target is accepted, although backups of this installation should be there
 * @throws {BackupRefused} if the target is not one, or belongs to another installation
 */
export async function openBackup(
  { metadata, ids, target, index }: Pick<BackupDeps, 'metadata' | 'ids' | 'target' | 'index'>,
  { isNew, onStep }: { readonly isNew: boolean; readonly onStep: OnBackupStep },
): Promise<OpenedBackup> {
  onStep({ doing: 'reading the target' });
  const installationId = await installationOf({ metadata, ids });
  await requireOwn(target, installationId, isNew ? [] : await metadata.read.backups.list());
  await target.sweep();
  const names = await generationNames(target);
  const known = new Map<string, Generation>();
  for (const name of names) known.set(name, await findGeneration(target, name));
  const log = await IndexLog.read(target, known.get(names.at(-1) ?? '')?.index ?? [], index);
  await compare(target, index, log, onStep);
  const chunks = new Set<string>();
  for await (const { blobId } of target.chunks.ids()) chunks.add(blobId);
  return { installationId, index, log, chunks, names, known };
}

async function installationOf({ metadata, ids }: Pick<BackupDeps, 'metadata' | 'ids'>): Promise<string> {
  const known = await metadata.read.backups.installationId();
  if (known !== undefined) return known;
  return metadata.atomically(async (tx) => {
    await tx.backups.nameInstallation(ids.opaqueId());
    return (await tx.backups.installationId())!;
  });
}

async function requireOwn(
  target: BackupTarget,
  installationId: string,
  before: ReadonlyArray<{ readonly target: string; readonly generation: string }>,
): Promise<void> {
  const mark = await readJson<TargetMark>(target, markName);
  if (mark?.installation_id === installationId) return;
  if (mark)
    throw new BackupRefused(
      `${target.address} holds the backups of another installation (${mark.installation_id}, and this one is ` +
        `${installationId}). Name another target.`,
    );
  const last = before.find((one) => one.target === target.address);
  if (last) throw new BackupRefused(`${goneMessage(last)} To begin a new target there, add --new.`);
  await writeJson(target, markName, { format: 1, installation_id: installationId } satisfies TargetMark);
}

/** Says that a target has lost its backups. */
export function goneMessage({ target, generation }: { readonly target: string; readonly generation: string }): string {
  return (
    `The backups of this installation in ${target} are gone (the last one was ${generation}). Is ` + 'its disk mounted?'
  );
}

/** Makes the index agree with the blobs that the target really has. */
async function compare(target: BackupTarget, index: BlobIndex, log: IndexLog, onStep: OnBackupStep): Promise<void> {
  index.clear();
  let count = 0;
  for await (const batch of batched(target.blobs.ids())) {
    index.see(batch);
    count += batch.length;
    onStep({ doing: 'reading the target', done: count });
  }
  for (let strangers = index.strangers(batchSize); strangers.length > 0; strangers = index.strangers(batchSize)) {
    // A backup was cut off before it noted these, or something has cut them.
    await inParallel(strangers, (blobId) => target.blobs.delete(blobId));
    index.forget(strangers);
  }
  for (let lost = index.unseen(batchSize); lost.length > 0; lost = index.unseen(batchSize)) {
    await log.drop(lost);
    index.drop(lost);
  }
}

/** Collects items into arrays. */
export async function* batched<T>(items: AsyncIterable<T>, size = batchSize): AsyncGenerator<T[]> {
  let batch: T[] = [];
  for await (const item of items) {
    batch.push(item);
    if (batch.length < size) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}
