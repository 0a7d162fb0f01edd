import type { Log } from '#server/log.ts';
import type { DatabaseCopies } from '#server/domain/backup/database-copies.ts';
import type { Admission } from '#server/domain/ports/admission.ts';
import type { Clock } from '#server/domain/ports/clock.ts';
import type { AccountLeases, JobLeases } from '#server/domain/ports/job-leases.ts';
import type { KeyEncryptionKey } from '#server/domain/ports/key-encryption-key.ts';
import type { Metadata } from '#server/domain/ports/metadata.ts';
import type { RateLimits } from '#server/domain/ports/rate-limits.ts';
import type { Replicas } from '#server/domain/ports/replicas.ts';
import type { Slots } from '#server/domain/ports/slots.ts';
import type { StateDatabase } from './postgres/state/database.ts';
import type { RingKeys } from './system/key-ring.ts';
import type { PlannedMigration } from './system/migration-files.ts';
import type { WatchedDisk, WatchedDiskOptions } from './filesystem/watched-disk.ts';

/** The options for preparing the data folder and the database. */
export interface ReadyOptions {
  readonly sync?: boolean;
  /** Whether a server will run over it. Then the database is also checked for damage that a command would not meet. */
  readonly isServing?: boolean;
  /** Whether the configured master key replaces the one that the database was made with. */
  readonly acceptsKey?: boolean;
  /** Whether it is opened to move rows from it or to it. Then it is no matter whether it is the store. */
  readonly isMoved?: boolean;
  /** Reads the free space of a disk. */
  readonly readDisk?: WatchedDiskOptions['read'] | undefined;
  /** Decides whether the grace period of a former master key is over. Default: the clock of this machine. */
  readonly clock?: Clock | undefined;
}

/** A data folder and a database whose modes, tables and master key are in order. */
export interface Ready {
  readonly disk: WatchedDisk;
  /** The master keys that are valid. */
  readonly masterKeys: RingKeys;
  /** The master key that this process was started with. During a rotation it may be the former one. */
  readonly configuredKey: Uint8Array;
  /** Undefined if new bytes are not encrypted. */
  readonly keyEncryptionKey: KeyEncryptionKey | undefined;
  /** The names of the migrations that were missing, and the version since. */
  readonly applied: readonly string[];
  readonly version: number;
}

/** A server, as others see it. */
export interface ServerName {
  /** The name of its machine. */
  readonly host: string;
  /** Its version of Cubby. */
  readonly version: string;
}

/** The options for opening the rows. Durations are milliseconds. */
export interface RowsOptions {
  /** The clock for the time of a transaction. Default: the engine's own. */
  readonly clock?: Clock | undefined;
  /** The clock that usage is counted by. Default: that of the transaction. */
  readonly usageClock?: Clock | undefined;
  readonly sync: boolean;
  readonly isServing: boolean;
  /** The server that opens them. Undefined: a command. */
  readonly server?: ServerName | undefined;
  /** How long a write waits for another process that holds the database's lock. */
  readonly maxBusyMs?: number | undefined;
  /** Multiplies the time limits of a database server. Default 1. */
  readonly timeLimitFactor?: number | undefined;
  /** Receives errors that no caller waits for. */
  readonly onFault: (error: unknown) => void;
  /** Called after a commit that marked blobs for deletion. Their bytes can then be removed. */
  readonly onMarkedForDeletion: () => void;
  /** Called for each commit with the number of its pieces and its duration, for counters. Must not throw. */
  readonly onCommit: (commit: { readonly pieces: number; readonly durationMs: number }) => void;
  /** Called for each sync of the log of SQLite, for counters. Must not throw. */
  readonly onSync: (sync: { readonly durationMs: number }) => void;
  /**
   * Called once when written rows may be lost, or when the database has become too new for this process. Nothing more
   * is written. The process should end.
   */
  readonly onLost: (error: unknown) => void;
}

/** State that has to be exact over all servers of a database, besides the tables. */
export interface SharedState {
  readonly rates: RateLimits;
  readonly slots: Slots;
  readonly admission: Admission;
  readonly jobLeases: JobLeases;
  readonly accountLeases: AccountLeases;
  /** Calls `listener` whenever another server is gone, and what it had is free. */
  onGone(listener: () => void): void;
  /** The connections for such state of features. */
  readonly database: StateDatabase;
  /** Returns the id of this server in rows that belong to it. */
  owner(): string;
  /** Whether this server may write: it has reached the database lately. */
  isLive(): boolean;
}

/** The rows, and the clock that their times come from. */
export interface OpenedRows {
  readonly metadata: Metadata;
  /** Undefined if the database's own tools copy it. */
  readonly copies: DatabaseCopies | undefined;
  readonly clock: Clock;
  /** Returns what the database itself finds wrong, one sentence each. */
  problems(): Promise<string[]>;
  /** Undefined if only one server uses the rows. It then has this state in memory. */
  readonly shared: SharedState | undefined;
  readonly replicas: Replicas;
  /** Returns the number of transactions that wait. */
  queued(): number;
  close(): Promise<void>;
}

/** A kind of database that holds the rows. */
export interface Engine {
  /** Returns whether the database has been used. */
  isUsed(): Promise<boolean>;
  /**
   * Prepares the data folder and the database, and compares the master key. Several processes may do so at once, also
   * beside running servers.
   *
   * @throws an error whose message is one line that says what to do
   */
  ready(log: Log, options?: ReadyOptions): Promise<Ready>;
  /**
   * Returns the migrations that the database lacks. Changes nothing in it.
   *
   * @param scratchFolder for a copy on which they are tried, if the engine can make one
   * @throws {MigrationRefused}
   */
  plannedMigrations(scratchFolder: string): Promise<PlannedMigration[]>;
  /** Opens the rows of a database that is ready. */
  open(ready: Ready, options: RowsOptions): Promise<OpenedRows>;
  /** Returns the problems that would keep a server from starting, one line each. Changes nothing. */
  problems(): Promise<string[]>;
  /**
   * Runs `work` while no server runs over the database, as far as the engine can tell.
   *
   * @throws {ProcessLockTaken}
   */
  alone<T>(work: () => Promise<T>): Promise<T>;
}
