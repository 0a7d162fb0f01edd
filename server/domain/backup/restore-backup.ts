import type { NamedBlob } from '../contents/table.ts';
import type { BlobStore } from '../ports/blobs.ts';
import type { BlobIndex, NeededBlob } from './blob-index.ts';
import { readDatabase } from './database-chunks.ts';
import { findGeneration, generationNames, masterKeyOf, type Generation } from './generation.ts';
import { IndexLog } from './index-log.ts';
import { batched } from './open-backup.ts';
import { copyVerified, hashOf } from './copy-verified.ts';
import { inParallel } from './send-blobs.ts';
import { BackupRefused, type BackupTarget, type OnBackupStep } from './target.ts';

/** Where the master key comes from. `missing`: from nowhere yet. */
export type RestoredKey = 'restored' | 'kept' | 'missing';

/** The place that a backup is restored to. */
export interface RestorePlace {
  readonly blobs: BlobStore;
  /** Stores the database of the backup under another name. Undefined where other tools restore it. */
  readonly storeDatabase: ((bytes: AsyncIterable<Uint8Array>) => Promise<void>) | undefined;
  /** Returns the blobs behind this id that the restored database names, by id. */
  named(afterBlobId: string, limit: number): Promise<NamedBlob[]>;
  /**
   * Stores the master key of the backup, unless there is one already.
   *
   * @param bytes undefined if the backup has none
   */
  storeMasterKey(bytes: Uint8Array | undefined): Promise<RestoredKey>;
  /** Makes the database the one of the server. */
  finish(): Promise<void>;
}

interface RestoreOptions {
  /** Default: the newest. */
  readonly generation?: string | undefined;
  /** Whether the blobs of the place were written by an earlier call, which verified them. */
  readonly trustsBlobs: boolean;
  readonly signal: AbortSignal;
  readonly onStep: OnBackupStep;
}

export interface RestoreReport {
  readonly generation: string;
  readonly takenAt: string;
  readonly blobs: { readonly count: number; readonly bytes: number };
  /** Blobs that were there already. */
  readonly kept: number;
  /** Ids of blobs that the backup lacks, or has with other bytes than it was sent. */
  readonly missing: readonly string[];
  readonly masterKey: RestoredKey;
}

const pageRows = 1_000;

/** Returns the newest generation, or the named one. @throws {BackupRefused} */
export async function chooseGeneration(
  source: BackupTarget,
  wanted: string | undefined,
): Promise<{ readonly name: string; readonly generation: Generation; readonly newest: Generation }> {
  const names = await generationNames(source);
  const last = names.at(-1);
  if (last === undefined)
    throw new BackupRefused(`There is no whole backup in ${source.address}. Look at the address, or at another one.`);
  const newest = await findGeneration(source, last);
  const name = wanted ?? last;
  return { name, generation: await findGeneration(source, name), newest };
}

/**
 * Restores a generation into an empty place: the database, the blobs that it names, then the name of the database. If
 * it is cut off, another call goes on.
 *
 * @throws {BackupRefused}
 */
export async function restoreBackup(
  source: BackupTarget,
  place: RestorePlace,
  index: BlobIndex,
  options: RestoreOptions,
): Promise<RestoreReport> {
  const { signal, onStep } = options;
  onStep({ doing: 'reading the backup' });
  const chosen = await chooseGeneration(source, options.generation);
  const { name, generation, newest } = chosen;
  await IndexLog.read(source, newest.index, index);
  if (place.storeDatabase) await restoreDatabase(source, chosen, place.storeDatabase, options);
  const masterKey = await place.storeMasterKey(await masterKeyOf(source, generation));
  const { missing, kept } = await restoreBlobs(source, place, index, options);
  signal.throwIfAborted();
  await place.finish();
  return { generation: name, takenAt: generation.taken_at, blobs: index.named(), kept, missing, masterKey };
}

async function restoreDatabase(
  source: BackupTarget,
  { name, generation: { database } }: { readonly name: string; readonly generation: Generation },
  store: NonNullable<RestorePlace['storeDatabase']>,
  { signal, onStep }: RestoreOptions,
): Promise<void> {
  if (!database)
    throw new BackupRefused(
      `The generation ${name} has no database, because its rows were in PostgreSQL. Restore those with ` +
        'pg_restore, then set CUBBY_DATABASE_URL and run this again.',
    );
  let done = 0;
  async function* counted(): AsyncGenerator<Uint8Array> {
    for await (const piece of readDatabase(source, database!)) {
      signal.throwIfAborted();
      done += piece.byteLength;
      onStep({ doing: 'restoring the database', done, total: database!.size_bytes });
      yield piece;
    }
  }
  await store(counted());
}

/** Copies the blobs that the database names and the place lacks. */
async function restoreBlobs(
  source: BackupTarget,
  place: RestorePlace,
  index: BlobIndex,
  { trustsBlobs, signal, onStep }: RestoreOptions,
): Promise<{ readonly missing: string[]; readonly kept: number }> {
  index.clear();
  for (let last = ''; ;) {
    const page = await place.named(last, pageRows);
    if (page.length === 0) break;
    index.name(page);
    last = page.at(-1)!.blobId;
  }
  // Notes the blobs of the place, which may be many.
  for await (const batch of batched(place.blobs.ids())) index.see(batch);
  const total = index.named().bytes;
  const missing: string[] = [];
  let [done, kept] = [0, 0];
  const restore = async (blob: NamedBlob): Promise<void> => {
    signal.throwIfAborted();
    const outcome = await restoreBlob(source, place.blobs, index, { ...blob, trustsBlobs, signal });
    if (outcome === 'missing') missing.push(blob.blobId);
    if (outcome === 'kept') kept += 1;
    done += blob.sizeBytes;
    onStep({ doing: 'restoring files', done, total });
  };
  for (let last = ''; ;) {
    const page = await place.named(last, pageRows);
    if (page.length === 0) return { missing: missing.sort(), kept };
    await inParallel(page, restore);
    last = page.at(-1)!.blobId;
  }
}

/**
 * Brings one blob back, if the place lacks it or has other bytes.
 *
 * @returns `missing` if the backup cannot give its bytes. What the place has then stays
 */
async function restoreBlob(
  source: BackupTarget,
  blobs: BlobStore,
  index: BlobIndex,
  { trustsBlobs, signal, ...blob }: NeededBlob & Pick<RestoreOptions, 'trustsBlobs' | 'signal'>,
): Promise<'restored' | 'kept' | 'missing'> {
  const { blobId } = blob;
  const entry = index.find(blobId);
  if (!entry) return 'missing';
  const size = index.seenSize(blobId);
  if (size !== undefined) {
    if (size === entry.sizeBytes && (trustsBlobs || (await hashOf(blobs, blobId)) === entry.sha256)) return 'kept';
    await blobs.delete(blobId);
  }
  const outcome = await copyVerified(source.blobs, blobs, { ...blob, sha256: entry.sha256 }, signal);
  return typeof outcome === 'object' ? 'restored' : 'missing';
}
