import type { NamedBlob } from '../contents/table.ts';
import type { BackupDeps } from './backup-deps.ts';
import { sendDatabase } from './database-chunks.ts';
import { documentOf, nameOfMasterKey, newName, type Generation, type StoredDatabase } from './generation.ts';
import { holdBlobs } from './hold-blobs.ts';
import type { OpenedBackup } from './open-backup.ts';
import { pruneBackup } from './prune-backup.ts';
import { sendBlobs } from './send-blobs.ts';
import { writeJson, type OnBackupStep } from './target.ts';
import type { TargetLock } from './target-lock.ts';

interface BackupOptions {
  readonly lock: TargetLock;
  /** A folder for the scratch copy of the database. */
  readonly scratchFolder: string;
  /** How many generations are kept: as many of the newest, and the last ones of as many days. */
  readonly keep: number;
  /** Copies the database with other tools, while no bytes of files are removed. */
  readonly dump?: (() => Promise<void>) | undefined;
  readonly signal: AbortSignal;
  readonly onStep: OnBackupStep;
}

export interface BackupReport {
  readonly generation: string;
  /** All of the generation. */
  readonly blobs: { readonly count: number; readonly bytes: number };
  readonly databaseBytes: number | null;
  /** What the target did not have. */
  readonly sent: { readonly count: number; readonly bytes: number; readonly databaseBytes: number };
  /** Ids of blobs that were damaged or missing in the store. The generation lacks them. */
  readonly damaged: readonly string[];
  readonly removedGenerations: readonly string[];
}

const pageRows = 2_000;

/** Adds a generation to an open target: the database as it is now, and every blob that it names. */
export async function takeBackup(
  deps: BackupDeps,
  opened: OpenedBackup,
  options: BackupOptions,
): Promise<BackupReport> {
  const { metadata, copies, target, clock } = deps;
  const { signal, onStep, lock } = options;
  const { index, log, chunks, names } = opened;
  const hold = await holdBlobs(deps);
  try {
    onStep({ doing: 'copying the database' });
    await using cleanup = new AsyncDisposableStack();
    await options.dump?.();
    const takenAt = clock.now();
    const copy = copies && cleanup.adopt(await copies.take(options.scratchFolder), (one) => one.close());
    await nameBlobs(deps, (after, limit) => (copy ?? metadata.read.contents).named(after, limit), copy === undefined);
    const sent = await sendBlobs({ source: deps.blobs, target, index, log }, { signal, onStep });
    // Before the database is sent: from here on, no bytes of the store are needed.
    await hold.requireOpen();
    const stored = copy && (await sendDatabase(target, copy, chunks, { signal, onStep }));
    const generation = newName(takenAt, names.at(-1));
    await noteEnds(opened, generation);
    await log.shorten(index);
    await lock.requireOwn();
    // Read after the rows were copied: after a rotation in between, the new key opens the copied rows too.
    const masterKey = nameOfMasterKey(await metadata.read.masterKeys.check());
    const times = { takenAt, completedAt: clock.now() };
    const document = documentFor(opened, stored?.database ?? null, { ...times, sent, masterKey });
    await writeJson(target, documentOf(generation), document);
    names.push(generation);
    opened.known.set(generation, document);
    await metadata.atomically((tx) =>
      tx.backups.note({ target: target.address, generation, completedAt: clock.now() }),
    );
    const removedGenerations = await pruneBackup(target, opened, options.keep);
    return {
      generation,
      blobs: document.blobs,
      databaseBytes: stored?.database.size_bytes ?? null,
      sent: { count: sent.count, bytes: sent.bytes, databaseBytes: stored?.sentBytes ?? 0 },
      damaged: sent.damaged,
      removedGenerations,
    };
  } finally {
    await hold.end();
  }
}

function documentFor(
  { installationId, index, log }: OpenedBackup,
  database: StoredDatabase | null,
  {
    takenAt,
    completedAt,
    sent,
    masterKey,
  }: { takenAt: number; completedAt: number; sent: { damaged: readonly string[] }; masterKey: string },
): Generation {
  return {
    format: 1,
    installation_id: installationId,
    taken_at: new Date(takenAt).toISOString(),
    completed_at: new Date(completedAt).toISOString(),
    database,
    blobs: index.named(),
    index: log.documents,
    damaged: sent.damaged,
    master_key: masterKey,
  };
}

/** Lists the blobs of the generation in the index. */
async function nameBlobs(
  { metadata, index }: Pick<BackupDeps, 'metadata' | 'index'>,
  named: (afterBlobId: string, limit: number) => Promise<NamedBlob[]>,
  withMarked: boolean,
): Promise<void> {
  index.clear();
  for (let last = ''; ;) {
    const page = await named(last, pageRows);
    if (page.length === 0) break;
    index.name(page);
    last = page.at(-1)!.blobId;
  }
  // A dump that another tool has just made may still name blobs that are marked for deletion by now.
  if (withMarked) await nameMarked({ metadata, index });
}

async function nameMarked({ metadata, index }: Pick<BackupDeps, 'metadata' | 'index'>): Promise<void> {
  for (let last = ''; ;) {
    const page = await metadata.read.contents.marked(last, pageRows);
    if (page.length === 0) return;
    index.nameMarked(page);
    last = page.at(-1)!;
  }
}

/** Notes which blobs the newest generation does not name any more, and which it names again. */
async function noteEnds({ index, log }: OpenedBackup, generation: string): Promise<void> {
  for (let last = ''; ;) {
    const changed = index.changedEnds(generation, last, pageRows);
    if (changed.length === 0) return;
    await log.add(changed);
    index.add(changed);
    last = changed.at(-1)!.blobId;
  }
}
