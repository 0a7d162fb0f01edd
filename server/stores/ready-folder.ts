import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';

import type { Config } from '#server/config/config.ts';
import { dataFolders } from '#server/feature-parts.ts';
import type { Log } from '#server/log.ts';
import { BucketUnusable } from './bucket-unusable.ts';
import { KeyEncryptionKeyUnusable } from './encrypted/required-key.ts';
import { WatchedDisk, type WatchedDiskOptions } from './filesystem/watched-disk.ts';
import { placesOf } from './move/places.ts';
import { StoreMoveRefused } from './move/refused.ts';
import { requireStoreHere } from './move/sqlite-moved.ts';
import { openReader, openWriter } from './sqlite/connection.ts';
import type { Ready, ReadyOptions } from './engine.ts';
import { databaseUnusable, isDiskFull } from './sqlite/database-errors.ts';
import { migrate } from './sqlite/migrations.ts';
import { unopenedRows } from './sqlite/unopened-rows.ts';
import { requireSound, requireUncut } from './sqlite/whole-database.ts';
import { compareKeys, problemsOfKeys } from './stored-keys.ts';
import { DatabaseUnusable } from './system/database-unusable.ts';
import { MigrationRefused } from './system/migration-files.ts';
import { DataFolderFull, DataFolderUnusable, prepareDataFolder } from './system/data-folder.ts';
import { masterKeyOf, MasterKeyUnusable } from './system/master-key.ts';
import { systemClock } from './system/clock.ts';

/** If less is free, a part of the reserve is released before anything is opened: the log's index takes 32 KiB. */
const startBytes = 1024 * 1024;

/** How long a start waits for another process that writes. */
const lockTimeoutMs = 5_000;

/**
 * Prepares a data folder. Creates missing files, removes the rights of other users, and brings the database up to date.
 * Compares the keys with those that the database was made with. May be called beside a running server.
 *
 * @throws {DataFolderUnusable | DataFolderFull | DatabaseUnusable | KeyEncryptionKeyUnusable | MasterKeyUnusable |
 *   MigrationRefused} with one line that says what to do
 */
export async function readyFolder(
  config: Config,
  log: Log,
  {
    sync = true,
    isServing = false,
    acceptsKey = false,
    isMoved = false,
    readDisk,
    clock = systemClock,
  }: ReadyOptions = {},
): Promise<Ready> {
  const database = databaseOf(config);
  const disk = await openFolder(config, log, { readDisk, isServing });
  if (!isMoved) requireDatabaseOfBlobs(config);
  // The key is created before the database: a folder with a database and no key has lost its key.
  const masterKey = await masterKeyOf(config.dataDir, config.masterKey, !hasDatabase(config));
  return withExplainedErrors(config, () =>
    withReserve(disk, async () => {
      if (isServing) requireUncut(database);
      using writer = openWriter(database, sync);
      if (isServing) requireSound(writer, database);
      if (!isMoved) requireStoreHere(writer, placesOf(config));
      const done = migrate(writer);
      // Another process may hold the lock. Nothing is served yet.
      writer.exec(`PRAGMA busy_timeout = ${lockTimeoutMs}`);
      const options = { acceptsKey, isMoved, now: clock.now() };
      return { disk, ...(await compareKeys(unopenedRows(writer), config, { database, masterKey }, options)), ...done };
    }),
  );
}

function reporting(log: Log): WatchedDiskOptions['onChange'] & {} {
  return ({ isFull, freeBytes, floorBytes }) => {
    const figures = { free_bytes: freeBytes, min_free_bytes: floorBytes };
    if (isFull)
      log.error(figures, 'THE DISK IS FULL: nothing is taken in until there is room again. Reading and deleting go on');
    else log.info(figures, 'there is room on the disk again');
  };
}

/** Runs `work` again after each release of a part of the reserve, as long as the disk is full. */
async function withReserve<T>({ reserve }: WatchedDisk, work: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (!isDiskFull(error) || !reserve.release()) throw error;
    }
  }
}

/**
 * Creates the data folder when it is missing, removes the rights of other users, and frees space to open its files. May
 * be called again.
 *
 * @throws {DataFolderUnusable | DataFolderFull}
 */
export async function openFolder(
  config: Config,
  log: Log,
  { readDisk: read, isServing = false }: Pick<ReadyOptions, 'readDisk' | 'isServing'> = {},
): Promise<WatchedDisk> {
  const { dataDir, minFreeBytes } = config;
  for (const { path, was } of await prepareDataFolder(dataDir, dataFolders))
    log.warn({ path, was }, 'was open to other users of this machine; now it is closed to them');
  const [holdsRows, holdsBlobs] = [config.databaseUrl === undefined, config.bucket === undefined];
  // The folder of larger files may be the only one on a disk of its own that matters.
  const all = [dataDir, join(dataDir, 'blobs')].filter((folder) => existsSync(folder));
  const disk = await WatchedDisk.open({
    folders: holdsRows ? all : all.slice(-1),
    reservePath: join(dataDir, 'disk-reserve'),
    minFreeBytes: holdsRows || holdsBlobs ? minFreeBytes : 0,
    holdsRows,
    holdsBlobs,
    ...(read && { read }),
    ...(isServing && { onChange: reporting(log) }),
  });
  if (disk.state().freeBytes < startBytes) disk.reserve.release();
  return disk;
}

/**
 * Returns the problems that would keep a server from starting over the data folder, one line each. Changes nothing.
 */
export async function problemsOfFolder(config: Config): Promise<string[]> {
  const database = databaseOf(config);
  try {
    if (!hasDatabase(config)) return [];
    const masterKey = await masterKeyOf(config.dataDir, config.masterKey, false);
    return await withExplainedErrors(config, async () => {
      using reader = openReader(database);
      return await problemsOfKeys(unopenedRows(reader), config, { database, masterKey });
    });
  } catch (error) {
    return [error instanceof Error ? error.message : String(error)];
  }
}

/** Returns whether the error's message is written for the operator and needs no addition. */
export function isForOperator(error: unknown): error is Error {
  return [
    BucketUnusable,
    DataFolderFull,
    DataFolderUnusable,
    DatabaseUnusable,
    KeyEncryptionKeyUnusable,
    MasterKeyUnusable,
    MigrationRefused,
    StoreMoveRefused,
  ].some((kind) => error instanceof kind);
}

/** Returns SQLite's error about this database with a message for the operator, if there is one. */
export function explained(config: Config, error: unknown): unknown {
  return isForOperator(error) ? error : (databaseUnusable(databaseOf(config), error) ?? error);
}

/** Returns whether the data folder has a database. */
export function hasDatabase(config: Config): boolean {
  try {
    // A first start that was cut off leaves an empty one.
    return (statSync(databaseOf(config), { throwIfNoEntry: false })?.size ?? 0) > 0;
  } catch {
    return true; // opening it will say why it cannot be read
  }
}

/** Returns the path of the SQLite database of a data folder. */
export function databaseOf({ dataDir }: Config): string {
  return join(dataDir, 'cubby.db');
}

/** Returns the path of the file that says what is being restored into a data folder. */
export function restoreMarkOf(config: Config): string {
  return `${databaseOf(config)}.restore.json`;
}

/**
 * Rejects a folder that has files of a database but no database, and one into which a restore has not ended. A new
 * database there would look like a folder where everything is gone.
 *
 * @throws {DatabaseUnusable}
 */
function requireDatabaseOfBlobs(config: Config): void {
  if (existsSync(restoreMarkOf(config)))
    throw new DatabaseUnusable(
      `A restore into ${config.dataDir} has not ended. Run "cubby restore" with the same source ` +
        'again, or empty the folder.',
    );
  if (hasDatabase(config)) return;
  const blobs = join(config.dataDir, 'blobs');
  if (!statSync(blobs, { throwIfNoEntry: false })?.isDirectory() || readdirSync(blobs).length === 0) return;
  const message =
    `The database ${databaseOf(config)} is missing or empty, but ${blobs} holds files of one. Restore the last ` +
    'backup of the whole folder, or set CUBBY_DATA_DIR to an empty folder.';
  throw new DatabaseUnusable(message);
}

async function withExplainedErrors<T>(config: Config, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw explained(config, error);
  }
}
