import { totalmem } from 'node:os';
import { join } from 'node:path';

import type { Config } from '#server/config/config.ts';
import type { Engine, Ready, RowsOptions } from './engine.ts';
import type { WatchedDisk } from './filesystem/watched-disk.ts';
import { localReplica } from './local-replica.ts';
import { openInSteps, type OpenedSteps } from './open-in-steps.ts';
import { databaseOf, hasDatabase, problemsOfFolder, readyFolder } from './ready-folder.ts';
import { Connections } from './sqlite/connection.ts';
import { databaseProblems } from './sqlite/database-problems.ts';
import { SqliteDatabaseCopies } from './sqlite/database-copies.ts';
import { SqliteMetadata } from './sqlite/metadata.ts';
import { acquireProcessLock } from './sqlite/process-lock.ts';
import { tryMigrations } from './sqlite/trial-migration.ts';
import { systemClock } from './system/clock.ts';

/** SQLite's page size. */
const pageBytes = 4096;

/** Some 32 MB. The reserve has space for twice the longest log, because the log is copied into the database file. */
const longestLogPages = 8_000;

const mebibyte = 1_048_576;

/** A share of the memory that this process may use. With what surrounds the rows, a full cache takes twice as much. */
function standardCacheBytes(): number {
  const memoryBytes = Math.min(totalmem(), process.constrainedMemory() || Infinity);
  return Math.min(Math.max(memoryBytes / 64, 32 * mebibyte), 256 * mebibyte);
}

/** Rows in SQLite, in the data folder of one server. */
export function sqliteEngine(config: Config): Engine {
  return {
    isUsed: async () => hasDatabase(config),
    ready: (log, options) => readyFolder(config, log, options),
    plannedMigrations: (scratchFolder) => tryMigrations(databaseOf(config), scratchFolder),
    open: ({ disk }: Ready, options) =>
      openInSteps(options.onFault, (opened) => openRows(config, disk, options, opened)),
    problems: () => problemsOfFolder(config),
    async alone(work) {
      const lock = acquireProcessLock(join(config.dataDir, 'server.lock'));
      try {
        return await work();
      } finally {
        lock.release();
      }
    },
  };
}

async function openRows(
  config: Config,
  disk: WatchedDisk,
  { clock = systemClock, sync, isServing, server, maxBusyMs, ...callbacks }: RowsOptions,
  opened: OpenedSteps,
) {
  const connections = new Connections(databaseOf(config), { sync, isServing });
  opened.defer(() => connections.close());
  const metadata = new SqliteMetadata(connections, {
    now: () => clock.now(),
    ...(maxBusyMs !== undefined && { maxBusyMs }),
    ...callbacks,
    cacheBytes: config.caches ? (config.rowCacheBytes ?? standardCacheBytes()) : 0,
    onFull: () => disk.reserve.release(),
    maxLogPages: Math.min(longestLogPages, Math.floor(disk.reserve.fullBytes / 2 / pageBytes) || longestLogPages),
  });
  opened.defer(() => metadata.close());
  const replica = await localReplica(config.dataDir, { clock, server });
  opened.defer(() => replica.leave());
  return {
    metadata,
    replicas: replica,
    copies: new SqliteDatabaseCopies(databaseOf(config), connections),
    clock,
    problems: async () => databaseProblems(databaseOf(config)),
    shared: undefined,
    queued: () => metadata.queued,
  };
}
