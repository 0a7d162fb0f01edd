import { randomUUID } from 'node:crypto';
import { rm } from 'node:fs/promises';

import type { Config } from '#server/config/config.ts';
import { serverActor, type AuditActor } from '#server/domain/audit/audit-entry.ts';
import { madeDatabase, recordMigration } from '#server/domain/audit/record-migration.ts';
import type { JobSettings } from '#server/domain/jobs/job.ts';
import { reapBlobs } from '#server/domain/jobs/reap-blobs.ts';
import type { BlobStore } from '#server/domain/ports/blobs.ts';
import type { Clock, MonotonicClock } from '#server/domain/ports/clock.ts';
import type { Ids } from '#server/domain/ports/ids.ts';
import type { Metadata } from '#server/domain/ports/metadata.ts';
import { signallingEvents } from '#server/domain/events/event-signals.ts';
import { debouncer } from '#server/jobs/debouncer.ts';
import { blobMarkers } from '#server/feature-parts.ts';
import type { Log } from '#server/log.ts';
import type { CallTracing } from '#server/telemetry/tracing.ts';
import { Encryption } from './encrypted/encryption.ts';
import { watchDisk } from './filesystem/watch-disk.ts';
import type { WatchedDiskOptions } from './filesystem/watched-disk.ts';
import type { Engine, OpenedRows, Ready, RowsOptions } from './engine.ts';
import { jobSettingsOf } from './job-settings.ts';
import { followKey, followKeyAtStart } from './key-place.ts';
import { openInSteps, type OpenedSteps } from './open-in-steps.ts';
import { openBlobs, requireBucket, type OpenedBlobs } from './open-blobs.ts';
import { scratchIn } from './scratch.ts';
import { scrubSettings } from './scrub-settings.ts';
import { sqliteEngine } from './sqlite-engine.ts';
import type { Stores } from './stores.ts';
import { fileClockBaselines } from './system/clock-baselines.ts';
import { systemClock, systemMonotonic } from './system/clock.ts';
import { randomIds } from './system/ids.ts';
import { keyRing, type KeyRing } from './system/key-ring.ts';
import type { PlannedMigration } from './system/migration-files.ts';
import { reloadKeysMs, watchMasterKey, type MasterKeyWatch } from './watch-master-key.ts';
import { loadRowWrappers, wrappedRows } from './wrapped-rows.ts';
import { dayMs } from '../domain/day.ts';

export { keyEncryptionKey } from './encrypted/key-encryption-key.ts';
export { explained, isForOperator, openFolder } from './ready-folder.ts';
export type { Stores } from './stores.ts';

/** Replacements that tests give for the real stores and their surroundings. */
export interface StoreOverrides {
  readonly clock?: Clock;
  /** The clock that never jumps. Default: `clock` if that is given. */
  readonly monotonicMs?: () => number;
  readonly ids?: Ids;
  /** Wraps the real store, for instance to make it fail. */
  readonly blobs?: (real: BlobStore) => BlobStore;
  readonly metadata?: (real: Metadata) => Metadata;
  /** Reads the free space of a disk. */
  readonly readDisk?: NonNullable<WatchedDiskOptions['read']>;
  /** How often the free space is read while nobody uploads. */
  readonly watchDiskEveryMs?: number;
  /** How long a write waits for another process that holds the database's lock. */
  readonly maxBusyMs?: number;
  /** Multiplies the time limits of PostgreSQL. */
  readonly timeLimitFactor?: number;
  /** How often a rotation of the master key is looked for. */
  readonly reloadKeysEveryMs?: number;
  /** `false` leaves out every fsync. Only a test of durability needs that. */
  readonly sync?: boolean;
}

/** The options for opening the stores. */
interface StoreOptions extends StoreOverrides {
  readonly tracing?: CallTracing | undefined;
  /** Called for each commit, for counters. */
  readonly onCommit?: RowsOptions['onCommit'];
  /** Called for each sync of the database, for counters. */
  readonly onSync?: RowsOptions['onSync'];
  /** Called when nothing more is written, for instance because written rows may be lost. A server should end. */
  readonly onLost?: RowsOptions['onLost'];
  /** Called with the bytes that the scrub has read, for counters. */
  readonly onScrubbed?: (bytes: number) => void;
  /** Whether requests are served from the stores. Default `false`, as for a command. */
  readonly isServing?: boolean;
  /** The server that opens them, as others see it. */
  readonly server?: RowsOptions['server'];
  /** Whether `clock` pretends another time. Usage is counted by the real one then. */
  readonly isPretended?: boolean;
  /** Who opens the stores, for the audit log. Default: the server. */
  readonly by?: AuditActor;
}

/**
 * Opens the stores of a data folder, and brings the database up to date first. Several processes may do so at once: the
 * server and operator commands.
 */
export async function openStores(config: Config, log: Log, options: StoreOptions = {}): Promise<Stores> {
  const onFault = (error: unknown) => log.error({ error }, 'fault');
  return openInSteps(onFault, (opened) => openParts({ config, log, options, onFault }, opened));
}

interface Opening {
  readonly config: Config;
  readonly log: Log;
  readonly options: StoreOptions;
  readonly onFault: RowsOptions['onFault'];
}

async function openParts({ config, log, options, onFault }: Opening, opened: OpenedSteps) {
  const { ids = randomIds, sync = true, isServing = false } = options;
  const wrappers = await loadRowWrappers();
  const engine = await engineOf(config);
  if (isServing) await requireBucket(config, log, !(await engine.isUsed()));
  const ready = await engine.ready(log, { sync, isServing, readDisk: options.readDisk, clock: options.clock });
  const { disk } = ready;
  if (isServing) await followKeyAtStart(config, log, ready);
  const files = await openBlobs(config, log, { disk, sync });
  opened.defer(() => files.close());
  const encryption = new Encryption(ready.keyEncryptionKey, async () => metadata.read.rootKeys.list());
  const encrypted = encryption.encrypt(files.blobs);
  opened.defer(() => encrypted.close());
  const blobs = options.blobs?.(encrypted) ?? encrypted;
  const reaping = debouncer({
    run: () => reapBlobs({ metadata, blobs, blobMarkers }),
    onFault: (error) => log.error({ job: 'reap-blobs', error }, 'fault'),
  });
  const given = rowsOptions(options, onFault, reaping.nudge);
  const rows = await engine.open(ready, given);
  opened.defer(() => rows.close());
  const around = { config, log, ids, isServing, tracing: options.tracing };
  const wrapped = await wrappedRows(wrappers, { ...around, metadata: rows.metadata });
  opened.defer(() => wrapped.close());
  opened.defer(() => reaping.stop());
  const { ring, watch } = followMasterKey(config, log, rows, { ...options, ...given, masterKeys: ready.masterKeys });
  opened.defer(() => watch.stop());
  if (isServing) {
    const watching = watchDisk(disk, onFault, options.watchDiskEveryMs);
    opened.defer(() => watching.stop());
  }
  const { metadata: signalling, signals } = signallingEvents(wrapped.metadata);
  const metadata = options.metadata?.(signalling) ?? signalling;
  opened.defer(() => encryption.end());
  await encryption.begin({ metadata, ids, isServing, onFault });
  await noteUpgrade(metadata, ready, options.by).catch(onFault);
  return {
    metadata,
    ...settingsOf(config),
    ...partsOf(files),
    databaseCopies: rows.copies,
    shared: rows.shared,
    accountLeases: rows.shared?.accountLeases,
    replicas: rows.replicas,
    blobs,
    encryption,
    databaseProblems: () => rows.problems(),
    scrub: scrubSettings(config, log, { blobs, quarantine: files.quarantine, encryption }, options.onScrubbed),
    eventSignals: signals,
    diskSpace: disk,
    secrets: ring.secrets,
    reloadMasterKey: watch.reload,
    ids: encryption.idsOver(ids),
    clock: rows.clock,
    monotonic: monotonicOf(options),
    ...wrapped.ports,
    queues: { 'database-writes': rows.queued },
  };
}

function rowsOptions(
  options: StoreOptions,
  onFault: RowsOptions['onFault'],
  onMarkedForDeletion: RowsOptions['onMarkedForDeletion'],
): RowsOptions {
  const { clock, sync = true, isServing = false, server, maxBusyMs, timeLimitFactor } = options;
  const { onCommit = () => {}, onSync = () => {}, onLost = () => {} } = options;
  return {
    ...{
      clock,
      sync,
      isServing,
      server,
      maxBusyMs,
      timeLimitFactor,
      onFault,
      onMarkedForDeletion,
      onCommit,
      onSync,
      onLost,
    },
    usageClock: options.isPretended ? systemClock : undefined,
  };
}

function settingsOf(config: Config): Pick<Stores, keyof JobSettings | 'eventsKeptMs' | 'clockBaselines' | 'places'> {
  return {
    eventsKeptMs: config.events.keptDays * dayMs,
    ...jobSettingsOf(config),
    clockBaselines: fileClockBaselines(config.dataDir),
    places: { database: config.databaseUrl ? 'postgres' : 'sqlite', blobs: config.bucket ? 'bucket' : 'folder' },
  };
}

function partsOf({ upkeep, quarantine, addresses, isDown }: OpenedBlobs) {
  return { blobUpkeep: upkeep, quarantine, blobAddresses: addresses, areBlobsDown: isDown };
}

/** Records an upgrade that opening the database was. The stores open even if it cannot. */
async function noteUpgrade(metadata: Metadata, { applied }: Ready, by: AuditActor = serverActor): Promise<void> {
  if (applied.length === 0 || madeDatabase(applied)) return;
  await recordMigration({ metadata }, { applied, by });
}

type FollowOptions = Pick<StoreOptions, 'isServing' | 'reloadKeysEveryMs'> &
  Pick<RowsOptions, 'onFault' | 'onLost'> &
  Pick<Ready, 'masterKeys'>;

/** Opens the master keys that are valid, and goes on as they change. */
function followMasterKey(
  config: Config,
  log: Log,
  { metadata, clock }: OpenedRows,
  { masterKeys, isServing = false, reloadKeysEveryMs = reloadKeysMs, onFault, onLost }: FollowOptions,
): { readonly ring: KeyRing; readonly watch: MasterKeyWatch } {
  const ring = keyRing(
    masterKeys,
    () => clock.now(),
    () => watch.reloadSoon(),
  );
  const onCurrent = async () => {
    if (isServing) await followKey(config, log, ring.keys);
  };
  const watch = watchMasterKey({
    onFault,
    onLost,
    ring,
    lastRotation: () => metadata.read.masterKeys.lastRotation(),
    now: () => clock.now(),
    onCurrent,
    everyMs: reloadKeysEveryMs,
  });
  return { ring, watch };
}

/** A test's own clock gets an origin of its own, so that it is never compared with another clock. */
function monotonicOf({ clock, monotonicMs }: StoreOverrides): MonotonicClock {
  const nowMs = monotonicMs ?? (clock && (() => clock.now()));
  return nowMs ? { origin: randomUUID(), nowMs } : systemMonotonic;
}

/** Returns the database that holds the rows. PostgreSQL's code is loaded only if it is configured. */
async function engineOf(config: Config): Promise<Engine> {
  if (!config.databaseUrl) return sqliteEngine(config);
  return (await import('./postgres-engine.ts')).postgresEngine(config, config.databaseUrl);
}

/** Returns whether the database has been used. */
export async function hasStores(config: Config): Promise<boolean> {
  return (await engineOf(config)).isUsed();
}

/** Returns the problems that would keep a server from starting, one line each. Changes nothing. */
export async function problemsOfStores(config: Config): Promise<string[]> {
  return (await engineOf(config)).problems();
}

/** Brings the database up to date, as every start does. `applied` names the missing migrations. */
export async function migrateStores(
  config: Config,
  log: Log,
): Promise<{ readonly applied: readonly string[]; readonly version: number }> {
  const { applied, version } = await (await engineOf(config)).ready(log);
  return { applied, version };
}

/**
 * Returns the migrations that the database lacks, tried on a copy where the engine can make one. Changes nothing.
 *
 * @throws {MigrationRefused}
 */
export async function plannedMigrations(config: Config): Promise<PlannedMigration[]> {
  const scratch = await scratchIn(config.dataDir, 'trial');
  try {
    return await (await engineOf(config)).plannedMigrations(scratch);
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
}

/**
 * Makes the configured master key the one of the database, in place of the one that it was made with. No server may run
 * over the database.
 *
 * @throws {ProcessLockTaken}
 */
export async function acceptMasterKey(config: Config, log: Log): Promise<void> {
  const engine = await engineOf(config);
  await engine.alone(() => engine.ready(log, { acceptsKey: true }));
}
