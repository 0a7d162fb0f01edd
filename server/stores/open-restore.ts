import { existsSync, readdirSync } from 'node:fs';
import { open, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { shownBackupPlace, type BackupPlace } from '#server/config/backup.ts';
import type { Config } from '#server/config/config.ts';
import type { AuditActor, AuditRecord } from '#server/domain/audit/audit-entry.ts';
import { recordAudit } from '#server/domain/audit/record-audit.ts';
import { masterKeyOf } from '#server/domain/backup/generation.ts';
import {
  chooseGeneration,
  restoreBackup,
  type RestoredKey,
  type RestorePlace,
  type RestoreReport,
} from '#server/domain/backup/restore-backup.ts';
import { BackupRefused, type OnBackupStep } from '#server/domain/backup/target.ts';
import type { BlobStore, RawBlobStore } from '#server/domain/ports/blobs.ts';
import type { Log } from '#server/log.ts';
import { Encryption } from './encrypted/encryption.ts';
import { configuredKey, requireKey } from './encrypted/required-key.ts';
import { durability } from './filesystem/durability.ts';
import { replaceFile } from './filesystem/replace-file.ts';
import { openBlobs } from './open-blobs.ts';
import { openTarget } from './open-target.ts';
import { scratchIndexIn } from './scratch.ts';
import { openStores } from './open.ts';
import { databaseOf, hasDatabase, openFolder, restoreMarkOf } from './ready-folder.ts';
import { namedBlobsOf } from './sqlite/database-copies.ts';
import { recordInFile } from './sqlite/record-in-file.ts';
import { rootKeysIn } from './sqlite/unopened-rows.ts';
import { keyFileOf, storeKeyFile } from './system/master-key.ts';
import { acquireProcessLock } from './sqlite/process-lock.ts';

export type { RestoreReport } from '#server/domain/backup/restore-backup.ts';

interface RestoreCommand {
  readonly config: Config;
  readonly place: BackupPlace;
  readonly generation?: string | undefined;
  /** Who does it, for the audit log. */
  readonly by: AuditActor;
  readonly signal: AbortSignal;
  readonly onStep: OnBackupStep;
}

/** What an unfinished restore is of. It begins with the name of the database, so the folder counts as Cubby's. */
interface Mark {
  readonly source: string;
  readonly generation: string;
}

/**
 * Restores a backup into the data folder of a configuration, which has to be empty, and into its store of blobs. With
 * PostgreSQL it brings the blobs that the restored rows name.
 *
 * @throws {BackupRefused}
 */
export async function restore(command: RestoreCommand, log: Log): Promise<RestoreReport> {
  return command.config.databaseUrl ? restoreBlobs(command, log) : restoreFolder(command, log);
}

async function restoreFolder({ config, place, ...options }: RestoreCommand, log: Log): Promise<RestoreReport> {
  await using opened = new AsyncDisposableStack();
  const kept = opened.adopt(await openTarget(place, false), (one) => one.close());
  const { name } = await chooseGeneration(kept, options.generation);
  const markPath = restoreMarkOf(config);
  const wanted: Mark = { source: shownBackupPlace(place), generation: name };
  const isResumed = await isSame(markPath, wanted, options.generation === undefined);
  if (!isResumed) requireEmpty(config);
  const disk = await openFolder(config, log);
  opened.adopt(acquireProcessLock(join(config.dataDir, 'server.lock')), (lock) => lock.release());
  if (!isResumed) await replaceFile(markPath, Buffer.from(JSON.stringify(wanted)), durability(true));
  const store = opened.adopt(await openBlobs(config, log, { disk, sync: true }), (one) => one.close());
  await store.upkeep.sweepTemporaries?.();
  const { index } = await scratchIndexIn(opened, config.dataDir, 'restore');
  const { source: address, generation } = isResumed ?? wanted;
  const record = restored(options.by, address, generation);
  const encryption = new Encryption(configuredKey(config), () => rootKeysIn(unnamedOf(config)));
  const encrypted = (raw: RawBlobStore) => opened.adopt(encryption.encrypt(raw), (one) => one.close());
  const source = { ...kept, blobs: encrypted(kept.blobs) };
  const folder = folderPlace(config, encrypted(store.blobs), { markPath, record });
  opened.defer(() => folder.close());
  const report = await restoreBackup(source, folder, index, {
    ...options,
    generation,
    trustsBlobs: isResumed !== undefined,
  });
  return report;
}

/** The entry of the audit log, which is in the restored log. */
function restored(by: AuditActor, source: string, generation: string): AuditRecord {
  return { action: 'store.restored', by, accountId: null, subject: generation, details: { source } };
}

/** Returns the unfinished restore that this call goes on with. */
async function isSame(path: string, wanted: Mark, anyGeneration: boolean): Promise<Mark | undefined> {
  if (!existsSync(path)) return undefined;
  const found = JSON.parse(await readFile(path, 'utf8')) as Mark;
  if (found.source === wanted.source && (anyGeneration || found.generation === wanted.generation)) return found;
  throw new BackupRefused(
    `A restore of ${found.generation} from ${found.source} has begun in this data folder. Finish it with ` +
      `--generation ${found.generation}, or empty the folder.`,
  );
}

/** The database of a restore that has not ended. */
const unnamedOf = (config: Config) => `${databaseOf(config)}.restoring`;

function folderPlace(
  config: Config,
  blobs: BlobStore,
  { markPath, record }: { readonly markPath: string; readonly record: AuditRecord },
): RestorePlace & { close(): Promise<void> } {
  const database = databaseOf(config);
  const unnamed = unnamedOf(config);
  let names: ReturnType<typeof namedBlobsOf> | undefined;
  return {
    blobs,
    async storeDatabase(bytes) {
      await writeFile(unnamed, bytes, { mode: 0o600, flush: true });
      requireKey(await rootKeysIn(unnamed), configuredKey(config), `the backup in ${record.details.source}`);
    },
    named: (after, limit) => (names ??= namedBlobsOf(unnamed)).page(after, limit),
    storeMasterKey: (bytes) => storeMasterKey(config, bytes),
    async finish() {
      names?.close();
      names = undefined;
      await recordInFile(unnamed, record);
      for (const suffix of ['-wal', '-shm']) await rm(unnamed + suffix, { force: true });
      await rename(unnamed, database);
      await rm(markPath);
      await using folder = await open(config.dataDir);
      await folder.sync();
    },
    close: async () => names?.close(),
  };
}

async function storeMasterKey({ dataDir, masterKey }: Config, bytes: Uint8Array | undefined): Promise<RestoredKey> {
  if (masterKey !== undefined || existsSync(keyFileOf(dataDir))) return 'kept';
  if (bytes === undefined) return 'missing';
  await storeKeyFile(dataDir, Buffer.from(bytes).toString().trim());
  return 'restored';
}

/** @throws {BackupRefused} if the folder holds anything of an installation but its master key */
function requireEmpty(config: Config): void {
  const { dataDir } = config;
  const blobs = join(dataDir, 'blobs');
  const hasBlobs = existsSync(blobs) && readdirSync(blobs).some((shard) => readdirSync(join(blobs, shard)).length > 0);
  if (hasDatabase(config) || hasBlobs)
    throw new BackupRefused(
      `The data folder ${dataDir} is not empty: it holds ${hasDatabase(config) ? 'a database' : 'files'}. A ` +
        'restore replaces nothing. Set CUBBY_DATA_DIR to an empty folder, or move this one away.',
    );
}

/** Brings the blobs of rows that other tools have restored. */
async function restoreBlobs({ config, place, ...options }: RestoreCommand, log: Log): Promise<RestoreReport> {
  await using opened = new AsyncDisposableStack();
  const kept = opened.adopt(await openTarget(place, false), (one) => one.close());
  await openFolder(config, log);
  // Before the stores are opened, which need it.
  const { generation } = await chooseGeneration(kept, options.generation);
  const key = await storeMasterKey(config, await masterKeyOf(kept, generation));
  const stores = opened.adopt(await openStores(config, log), (one) => one.close());
  const source = { ...kept, blobs: opened.adopt(stores.encryption.encrypt(kept.blobs), (one) => one.close()) };
  const { index } = await scratchIndexIn(opened, config.dataDir, 'restore');
  const target: RestorePlace = {
    blobs: stores.blobs,
    storeDatabase: undefined,
    named: (after, limit) => stores.metadata.read.contents.named(after, limit),
    storeMasterKey: async () => key,
    finish: async () => {},
  };
  const report = await restoreBackup(source, target, index, { ...options, trustsBlobs: false });
  const record = restored(options.by, shownBackupPlace(place), report.generation);
  await stores.metadata.atomically((tx) => recordAudit(tx, record));
  return report;
}
