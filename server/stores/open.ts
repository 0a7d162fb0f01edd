import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';

import { openCdn } from '#server/backends/open-cdn.ts';
import type { Config } from '#server/config.ts';
import type { ClockBaselines } from '#server/domain/jobs/table.ts';
import { reapBlobs } from '#server/domain/objects/reap-blobs.ts';
import type { BlobStore } from '#server/domain/ports/blobs.ts';
import type { Cdn } from '#server/domain/ports/cdn.ts';
import type { Clock, MonotonicClock } from '#server/domain/ports/clock.ts';
import type { Ids } from '#server/domain/ports/ids.ts';
import type { Metadata } from '#server/domain/ports/metadata.ts';
import type { Secrets } from '#server/domain/ports/secrets.ts';
import { reaper } from '#server/jobs/reaper.ts';
import type { Log } from '#server/log.ts';
import { FilesystemBlobStore } from './filesystem/blobs.ts';
import { Connections, openWriter } from './sqlite/connection.ts';
import { SqliteMetadata, type SqliteMetadataOptions } from './sqlite/metadata.ts';
import { migrate } from './sqlite/migrations.ts';
import { fileClockBaselines } from './system/clock-baselines.ts';
import { systemClock, systemMonotonic } from './system/clock.ts';
import { randomIds } from './system/ids.ts';
import { masterKeyOf } from './system/master-key.ts';
import { masterSecrets } from './system/secrets.ts';

/** What tests put in the place of the real stores and what they stand on. */
export interface StoreOverrides {
  readonly clock?: Clock;
  /** The clock that never jumps; without it, one that goes with `clock` where that is given. */
  readonly monotonicMs?: () => number;
  readonly ids?: Ids;
  /** Wraps the real stores, for instance to let them fail. */
  readonly blobs?: (real: BlobStore) => BlobStore;
  readonly metadata?: (real: Metadata) => Metadata;
  /** `false` leaves every fsync out, for the test that proves that it notices. */
  readonly sync?: boolean;
}

/** How stores are opened. */
export interface StoreOptions extends StoreOverrides {
  /** Told of each commit, for counters. */
  readonly onCommit?: SqliteMetadataOptions['onCommit'];
  /** Told that what was written is in doubt, and that nothing more will be: a server should end. */
  readonly onLost?: SqliteMetadataOptions['onLost'];
  /** Whether requests are served from them; default `false`, as for a command. */
  readonly isServing?: boolean;
}

/** The stores and what hangs on the master key: all that operator commands need. */
export interface Stores {
  readonly metadata: Metadata;
  readonly blobs: BlobStore;
  readonly secrets: Secrets;
  readonly ids: Ids;
  readonly clock: Clock;
  readonly monotonic: MonotonicClock;
  readonly clockBaselines: ClockBaselines;
  readonly cdn: Cdn;
  close(): Promise<void>;
}

/**
 * Opens the stores of a data folder, bringing the database up to date first. Several processes may do so at once: the
 * server and operator commands.
 */
export async function openStores(config: Config, log: Log, options: StoreOptions = {}): Promise<Stores> {
  const { clock = systemClock, ids = randomIds, sync = true, isServing = false, onCommit, onLost } = options;
  await mkdir(config.dataDir, { recursive: true, mode: 0o700 });
  const masterKey = await masterKeyOf(config.dataDir, config.masterKey, !hasStores(config));
  const database = databaseOf(config);
  migrateDatabase(database, sync);
  const connections = new Connections(database, { sync, isServing });
  const files = await FilesystemBlobStore.open(join(config.dataDir, 'blobs'), { sync });
  const blobs = options.blobs?.(files) ?? files;
  const reaping = reaper({ run: () => reapBlobs({ metadata, blobs }), onFault: (error) => log.error({ job: 'reap-blobs', error }, 'fault') });
  const sqlite = new SqliteMetadata(connections, {
    now: () => clock.now(),
    onFault: (error) => log.error({ error }, 'fault'),
    ...(onCommit && { onCommit }),
    ...(onLost && { onLost }),
    onDoomed: reaping.nudge,
  });
  const front = openCdn(config, log);
  const watched = front.watch(sqlite);
  const metadata = options.metadata?.(watched) ?? watched;
  return {
    metadata,
    blobs,
    secrets: masterSecrets(masterKey),
    ids,
    clock,
    monotonic: monotonicOf(options),
    clockBaselines: fileClockBaselines(config.dataDir),
    cdn: front.cdn,
    async close() {
      await reaping.stop();
      await sqlite.close();
      await front.close();
      connections.close();
    },
  };
}

/** What goes with a clock of the test's own cannot be compared with any other. */
function monotonicOf({ clock, monotonicMs }: StoreOverrides): MonotonicClock {
  const nowMs = monotonicMs ?? (clock && (() => clock.now()));
  return nowMs ? { origin: randomUUID(), nowMs } : systemMonotonic;
}

/** Whether the data folder holds a database already. */
export function hasStores(config: Config): boolean {
  return existsSync(databaseOf(config));
}

/** Brings the database of a data folder up to date, as every start does; `applied` names what was missing. */
export async function migrateStores(config: Config): Promise<{ readonly applied: readonly string[]; readonly version: number }> {
  await mkdir(config.dataDir, { recursive: true, mode: 0o700 });
  // The key comes first: a database without one is a folder that has lost it.
  await masterKeyOf(config.dataDir, config.masterKey, !hasStores(config));
  return migrateDatabase(databaseOf(config));
}

function databaseOf({ dataDir }: Config): string {
  return join(dataDir, 'cubby.db');
}

function migrateDatabase(path: string, sync = true): ReturnType<typeof migrate> {
  const writer = openWriter(path, sync);
  try {
    return migrate(writer);
  } finally {
    writer.close();
  }
}
