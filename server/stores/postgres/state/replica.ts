import { randomUUID } from 'node:crypto';

import { MetadataUnavailable } from '#server/domain/ports/metadata.ts';
import type { DatabaseLink, PoolState } from '#server/domain/ports/replicas.ts';
import { slotLeaseMs } from '#server/domain/ports/slots.ts';
import { MigrationRefused } from '#server/stores/system/migration-files.ts';
import { requireServed, schemaState } from '../schema-window.ts';
import { databaseMs, type RunStatement, type StateDatabase } from './database.ts';

/**
 * How long the database counts a process as alive that says nothing, and how often a process says that it is. Another
 * process notices an ended lease at its next renewal, so what a lost one had reserved is free within five seconds.
 */
const leaseMs = 3_500;
const renewEveryMs = 1_000;

/** A process stops to write this long before its lease ends. */
const marginMs = 500;

/** How often it measures the round trip to the database. */
const measureEveryMs = 5_000;

/** A server, as its row shows it. */
interface ServerFacts {
  readonly host: string;
  /** Its version of Cubby. */
  readonly version: string;
  /** Returns how its connections are used. */
  readonly pool: () => PoolState;
}

interface ReplicaOptions {
  /** The newest migration that this process knows. */
  readonly version: number;
  /** Called with the database's time, and the `performance.now()` at which it was that time. */
  readonly onTime: (databaseMs: number, readAt: number) => void;
  /** Gives back what belongs to another process, which is gone. */
  readonly giveBack: (replicaId: string) => Promise<void>;
  /** What it tells others about itself. Undefined: a command, which is not listed. */
  readonly server?: ServerFacts | undefined;
  readonly onFault: (error: unknown) => void;
  /** Called once if the database has become too new for this process, which then does not write any more. */
  readonly onOutdated: (error: MigrationRefused) => void;
  readonly leaseMs?: number;
  readonly renewEveryMs?: number;
  /** Multiplies the length of the lease. Default 1. */
  readonly timeLimitFactor?: number | undefined;
}

/**
 * This process among those that share a database. It has a row with a lease, which it renews. If it cannot, it fences
 * itself before the lease ends, because others then give back what belongs to it. Instants in the row are those of the
 * database's clock.
 */
export class Replica {
  readonly #database: StateDatabase;
  readonly #options: ReplicaOptions;
  readonly #leaseMs: number;
  readonly #renewEveryMs: number;
  #id = '';
  /** The `performance.now()` from which on this process must not write. */
  #fencedAt = -Infinity;
  #timer: NodeJS.Timeout | undefined;
  #renewing: Promise<void> = Promise.resolve();
  #hasLeft = false;
  readonly #givingBack = new Set<string>();
  readonly #goneListeners: Array<() => void> = [];
  /** By the clock of the database. */
  #startedAt: number | null = null;
  #link: DatabaseLink | null = null;
  /** The `performance.now()` from which on the link is measured again. */
  #measureAt = -Infinity;

  private constructor(database: StateDatabase, options: ReplicaOptions) {
    this.#database = database;
    this.#options = options;
    this.#leaseMs = (options.timeLimitFactor ?? 1) * (options.leaseMs ?? leaseMs);
    this.#renewEveryMs = options.renewEveryMs ?? renewEveryMs;
  }

  /**
   * Adds this process.
   *
   * @throws {MetadataUnavailable} if the database cannot be used
   * @throws {MigrationRefused} if the database is too new for this process
   */
  static async join(database: StateDatabase, options: ReplicaOptions): Promise<Replica> {
    const replica = new Replica(database, options);
    await replica.#enter();
    replica.#measureSoon();
    replica.#renewLater();
    return replica;
  }

  /** Names this process in rows that belong to it. Changes after its lease has ended. */
  get id(): string {
    return this.#id;
  }

  /** Whether this process may write. */
  get isLive(): boolean {
    return performance.now() < this.#fencedAt;
  }

  /** @throws {MetadataUnavailable} while this process must not write */
  requireLive(): void {
    if (!this.isLive)
      throw new MetadataUnavailable('This server has not reached the database for some seconds.', undefined);
  }

  /** What this process has measured of its database; null before. */
  get link(): DatabaseLink | null {
    return this.#link;
  }

  /** Calls `listener` whenever another process is gone, and what it had is free. */
  onGone(listener: () => void): void {
    this.#goneListeners.push(listener);
  }

  /** Removes this process, with all that still belongs to it. Never rejects. */
  async leave(): Promise<void> {
    this.#hasLeft = true;
    clearTimeout(this.#timer);
    await this.#renewing;
    await this.#remove(this.#id).catch(this.#options.onFault);
    this.#fencedAt = -Infinity;
  }

  #renewLater(): void {
    if (this.#hasLeft) return;
    this.#timer = setTimeout(() => {
      this.#renewing = this.#renew()
        .catch((error: unknown) => this.#note(error))
        .then(() => this.#renewLater());
    }, this.#renewEveryMs).unref();
  }

  #note(error: unknown): void {
    if (!(error instanceof MigrationRefused)) return this.#options.onFault(error);
    this.#hasLeft = true;
    this.#options.onOutdated(error);
  }

  async #renew(): Promise<void> {
    const sentAt = performance.now();
    const rows = await this.#database.run<RenewalRow>(renewal, [this.#id, this.#leaseMs, ...this.#figures()]);
    const [now, isRenewed] = rows[0]!;
    this.#tell(now, sentAt);
    if (isRenewed === 1) this.#fencedAt = sentAt + this.#leaseMs - marginMs;
    // The lease has ended, so everything under this name is given back. What comes from now on is under another.
    else await this.#enter();
    for (const [, , ended] of rows) if (ended !== null) this.#giveBackSoon(ended);
    this.#measureSoon();
  }

  /** What the row of a server shows, besides the lease. */
  #figures(): ReadonlyArray<number | null> {
    const pool = this.#options.server?.pool();
    const roundTripUs = this.#link && Math.round(this.#link.roundTripMs * 1_000);
    return [pool?.inUse ?? null, pool?.waiting ?? null, roundTripUs, this.#link?.clockLagMs ?? null];
  }

  /**
   * Measures the way to the database with a statement that waits for nothing: a renewal waits for a disk, and for a
   * standby. No renewal waits for it.
   */
  #measureSoon(): void {
    if (!this.#options.server || performance.now() < this.#measureAt) return;
    this.#measureAt = performance.now() + measureEveryMs;
    // If it cannot be reached, the next renewal says so.
    this.#measure().catch(() => {});
  }

  async #measure(): Promise<void> {
    const sentAt = performance.now();
    const [row] = await this.#database.run<readonly [now: number]>(`SELECT ${databaseMs}`, []);
    const roundTripMs = performance.now() - sentAt;
    this.#link = { roundTripMs, clockLagMs: Math.round(row![0] - (Date.now() - roundTripMs / 2)) };
  }

  async #enter(): Promise<void> {
    const id = randomUUID();
    let sentAt = performance.now();
    await this.#database.transaction(async (run) => {
      await this.#requireServed(run);
      sentAt = performance.now();
      const { version, server } = this.#options;
      const [row] = await run<readonly [now: number, startedAt: number]>(entry, [
        ...[id, this.#leaseMs, version, server?.host ?? null, server?.version ?? null, this.#startedAt],
        ...[server?.pool().size ?? null, ...this.#figures()],
      ]);
      this.#tell(row![0], sentAt);
      this.#startedAt = row![1];
    });
    this.#id = id;
    this.#fencedAt = sentAt + this.#leaseMs - marginMs;
  }

  /** Looks at the window after the lock, which a migration that ends what this version needs holds until its commit. */
  async #requireServed(run: RunStatement): Promise<void> {
    await run('LOCK TABLE replicas IN ROW EXCLUSIVE MODE', []);
    const [state] = await run<readonly [version: number, oldestServer: number]>(schemaState, []);
    requireServed({ version: state![0], oldestServer: state![1] }, this.#options.version);
  }

  #tell(databaseMs: number, sentAt: number): void {
    this.#options.onTime(databaseMs, (sentAt + performance.now()) / 2);
  }

  /** Two processes may do this for the same one at once. If it fails, the next renewal tries again. */
  #giveBackSoon(replicaId: string): void {
    if (this.#givingBack.has(replicaId)) return;
    this.#givingBack.add(replicaId);
    this.#remove(replicaId)
      .then(() => this.#goneListeners.forEach((listener) => listener()))
      .catch(this.#options.onFault)
      .finally(() => this.#givingBack.delete(replicaId));
  }

  /** The row comes last. The database keeps it as long as rows refer to it that have to be given back. */
  async #remove(replicaId: string): Promise<void> {
    await this.#options.giveBack(replicaId);
    await this.#database.run(freeSlots, [replicaId, slotLeaseMs]);
    await this.#database.run('DELETE FROM replicas WHERE replica_id = $1', [replicaId]);
  }
}

const entry = `INSERT INTO replicas (replica_id, leased_until, version, host, product_version, started_at, seen_at,
    pool_size, pool_in_use, pool_waiting, round_trip_us, clock_lag_ms)
  VALUES ($1, ${databaseMs} + $2::bigint, $3, $4, $5, coalesce($6, ${databaseMs}), ${databaseMs}, $7, $8, $9, $10, $11)
  RETURNING ${databaseMs}, started_at`;

/** Renews a lease, unless it has ended. Returns the time, whether it did, and the others whose lease has ended. */
const renewal = `
  WITH mine AS (
    UPDATE replicas SET leased_until = ${databaseMs} + $2::bigint, seen_at = ${databaseMs}, pool_in_use = $3,
      pool_waiting = $4, round_trip_us = $5, clock_lag_ms = $6
    WHERE replica_id = $1 AND leased_until > ${databaseMs} RETURNING 1
  )
  SELECT ${databaseMs}, EXISTS (SELECT 1 FROM mine), other.replica_id
  FROM (SELECT 1) AS always
    LEFT JOIN replicas AS other ON other.replica_id <> $1 AND other.leased_until <= ${databaseMs}`;

type RenewalRow = readonly [now: number, isRenewed: number, ended: string | null];

/** @see ./slots.ts for the form of `leases` */
const freeSlots = `
  UPDATE slots SET leases = settle_slots((SELECT coalesce(jsonb_object_agg(holder, lease), '{}')
    FROM jsonb_each(leases) AS one (holder, lease) WHERE lease ->> 1 <> $1), 0, $2)
  WHERE jsonb_path_exists(leases, '$.*[1] ? (@ == $owner)', jsonb_build_object('owner', $1::text))`;
