import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

import type { Config } from '#server/config/config.ts';
import { shownDatabase, type DatabaseUrl } from '#server/config/database-url.ts';
import { recoverUnfinished } from '#server/domain/jobs/recover.ts';
import { recoveries } from '#server/feature-parts.ts';
import type { Engine, OpenedRows, Ready, RowsOptions, SharedState } from './engine.ts';
import { placesOf } from './move/places.ts';
import { requireStoreHere } from './move/postgres-moved.ts';
import { openInSteps, type OpenedSteps } from './open-in-steps.ts';
import { DatabaseClock } from './postgres/clock.ts';
import { NoConnection, sqlState } from './postgres/database-errors.ts';
import { databaseProblems } from './postgres/database-problems.ts';
import { Heartbeat } from './postgres/heartbeat.ts';
import { PostgresMetadata } from './postgres/metadata.ts';
import { knownVersion, migrate, pendingMigrations, requireUsable } from './postgres/migrations.ts';
import { PostgresPool } from './postgres/pool.ts';
import { stateDatabase, type StateDatabase } from './postgres/state/database.ts';
import { PostgresAccountLeases } from './postgres/state/account-leases.ts';
import { PostgresJobLeases } from './postgres/state/job-leases.ts';
import { PostgresRateLimits } from './postgres/state/rate-limits.ts';
import { Replica } from './postgres/state/replica.ts';
import { postgresReplicas } from './postgres/state/replicas.ts';
import { listening } from './postgres/state/listening.ts';
import { PostgresSlots, type Notifications } from './postgres/state/slots.ts';
import { unopenedRows } from './postgres/unopened-rows.ts';
import { databaseOf, hasDatabase, isForOperator, openFolder } from './ready-folder.ts';
import { compareKeys, findKeyCheck, problemsOfKeys, type CompareOptions } from './stored-keys.ts';
import { DatabaseUnusable } from './system/database-unusable.ts';
import { systemClock } from './system/clock.ts';
import { masterKeyOf, MasterKeyUnusable } from './system/master-key.ts';

/** A migration of a large database may take this long. */
const preparationMs = 60 * 60_000;

const oldestVersion = 15;

/** Rows in a PostgreSQL database that several servers share. */
export function postgresEngine(config: Config, url: DatabaseUrl): Engine {
  return {
    // Every start and every command stores it.
    isUsed: () => withPool(url, async (pool) => (await findKeyCheck(unopenedRows(pool))) !== undefined),
    async ready(log, { readDisk, isServing = false, clock = systemClock, ...options } = {}) {
      const disk = await openFolder(config, log, { readDisk, isServing });
      const ready = await withPool(url, (pool) => prepare(config, url, pool, { ...options, now: clock.now() }));
      if (ready.version > knownVersion())
        log.warn(
          { database_version: ready.version, known_version: knownVersion() },
          'a newer Cubby has changed the database. It takes this version too, until all servers are newer',
        );
      return { disk, ...ready };
    },
    // A trial in a transaction would lock the tables of running servers.
    plannedMigrations: () =>
      withPool(url, async (pool) => (await pendingMigrations(pool)).map((name) => ({ name, durationMs: null }))),
    open: (_ready, options) => openInSteps(options.onFault, (opened) => openRows(url, options, opened)),
    async problems() {
      try {
        return await withPool(url, (pool) => problemsOf(config, url, pool));
      } catch (error) {
        return [error instanceof Error ? error.message : String(error)];
      }
    },
    // The database cannot tell which servers run.
    alone: (work) => work(),
  };
}

/** The connections of a process for its lease. Requests never take them, however many there are. */
const leaseConnections = 2;

async function openRows(
  url: DatabaseUrl,
  { clock, usageClock, server, onFault, onMarkedForDeletion, onCommit, onLost, timeLimitFactor }: RowsOptions,
  opened: OpenedSteps,
): Promise<Omit<OpenedRows, 'close'>> {
  const pool = new PostgresPool(url, { timeLimitFactor });
  const leasePool = new PostgresPool({ ...url, poolSize: leaseConnections }, { timeLimitFactor });
  opened.defer(() => leasePool.close());
  const own = new DatabaseClock();
  const onTime = (databaseMs: number, readAt: number): void => own.adjust(databaseMs, readAt);
  const metadata = new PostgresMetadata(pool, {
    now: clock && (() => clock.now()),
    usageClock,
    owner: () => replica.id,
    requireLive: () => replica.requireLive(),
    onTime,
    onFault,
    onMarkedForDeletion,
    onCommit,
  });
  opened.defer(() => metadata.close());
  // It reads the database's clock, so that the first request does not depend on this machine's.
  const replica = await Replica.join(stateDatabase(leasePool), {
    version: knownVersion(),
    server: server && { ...server, pool: () => pool.state },
    onTime,
    onFault,
    onOutdated: onLost,
    giveBack: async (replicaId) => void (await recoverUnfinished({ metadata, recoveries }, replicaId)),
    timeLimitFactor,
  });
  opened.defer(() => replica.leave());
  // A command rather waits.
  if (server) {
    const heartbeat = new Heartbeat(url, { ...cutting(pool, leasePool), timeLimitFactor });
    opened.defer(() => heartbeat.stop());
  }
  return {
    metadata,
    copies: undefined,
    clock: clock ?? own,
    problems: () => withPool(url, databaseProblems),
    shared: sharedState(stateDatabase(pool), replica, listening(leasePool, 'cubby_slots')),
    replicas: postgresReplicas(stateDatabase(pool), () => replica.link),
    queued: () => pool.waiting,
  };
}

/** What happens when the database says nothing any more, and when it answers. */
function cutting(pool: PostgresPool, leasePool: PostgresPool) {
  return {
    onSilence() {
      pool.cutOff();
      // A renewal over a new connection comes through as soon as anything does.
      leasePool.endConnections();
    },
    onAnswer: () => pool.mend(),
    lastAnswerAt: () => Math.max(pool.answeredAt, leasePool.answeredAt),
  };
}

function sharedState(database: StateDatabase, replica: Replica, slotsGiven: Notifications): SharedState {
  const owner = () => replica.id;
  const rates = new PostgresRateLimits(database, owner);
  return {
    rates,
    admission: rates,
    slots: new PostgresSlots(database, owner, slotsGiven),
    jobLeases: new PostgresJobLeases(database, owner),
    accountLeases: new PostgresAccountLeases(database, owner),
    database,
    owner,
    isLive: () => replica.isLive,
    onGone: (listener) => replica.onGone(listener),
  };
}

/** Runs `work` with connections that are closed afterwards. Explains PostgreSQL's errors to the operator. */
async function withPool<T>(url: DatabaseUrl, work: (pool: PostgresPool) => Promise<T>): Promise<T> {
  const pool = new PostgresPool(url, { deadlineMs: preparationMs, idleInTransactionMs: preparationMs });
  try {
    return await work(pool);
  } catch (error) {
    throw explained(url, error);
  } finally {
    await pool.close();
  }
}

function explained(url: DatabaseUrl, error: unknown): unknown {
  if (isForOperator(error)) return error;
  const shown = shownDatabase(url);
  if (error instanceof NoConnection)
    return new DatabaseUnusable(`The database ${shown} cannot be used. ${error.message} See CUBBY_DATABASE_URL.`);
  const state = sqlState(error);
  if (state === undefined) return error;
  const advice =
    state === '42501'
      ? ` Give its user the right to make tables: ALTER DATABASE ${url.database} OWNER TO ${url.user}.`
      : ' See CUBBY_DATABASE_URL.';
  return new DatabaseUnusable(
    `The database ${shown} cannot be used (PostgreSQL: ${(error as Error).message}).${advice}`,
  );
}

/** Brings the tables up to date, and compares the keys. */
async function prepare(
  config: Config,
  url: DatabaseUrl,
  pool: PostgresPool,
  options: CompareOptions,
): Promise<Omit<Ready, 'disk'>> {
  await requireFitting(url, pool);
  const rows = unopenedRows(pool);
  const known = await findKeyCheck(rows);
  if (!options.isMoved) {
    if (known === undefined) requireEmptyFolder(config, url);
    await requireStoreHere(pool, placesOf(config));
  }
  const masterKey = await masterKeyFor(config, url, known !== undefined);
  const done = await migrate(pool);
  return { ...(await compareKeys(rows, config, { database: shownDatabase(url), masterKey }, options)), ...done };
}

/**
 * Rejects a pooler that gives each transaction another connection of the database. Settings, prepared statements and
 * notifications belong to a connection. Such a pooler serves two sessions that do nothing by the same one.
 *
 * @throws {DatabaseUnusable}
 */
async function requireOwnConnections(url: DatabaseUrl): Promise<void> {
  const pool = new PostgresPool({ ...url, poolSize: 2 });
  try {
    const [one, other] = await Promise.all([pool.take(), pool.take()]);
    const processOf = async (session: typeof one) =>
      (await session.command('SELECT pg_backend_pid()')).rows[0]![0] as unknown;
    const [first, second] = [await processOf(one), await processOf(other)];
    // Each may get another connection by chance. Of two connections in turn or the last one used, one of these is not
    // the first.
    const later = [await processOf(one), await processOf(one)];
    for (const session of [one, other]) pool.release(session);
    if (first === second || later.some((process) => process !== first))
      throw new DatabaseUnusable(
        `The database ${shownDatabase(url)} is behind a pooler, such as PgBouncer, that shares connections between ` +
          'transactions. Set pool_mode = session there, or name the database itself in CUBBY_DATABASE_URL.',
      );
  } finally {
    await pool.close();
  }
}

async function requireFitting(url: DatabaseUrl, pool: PostgresPool): Promise<void> {
  await requireOwnConnections(url);
  const { rows } = await pool.query<readonly [string, string]>(
    "SELECT current_setting('server_version_num'), current_setting('server_encoding')",
  );
  const [version, encoding] = rows[0]!;
  if (Number(version) < oldestVersion * 10_000)
    throw new DatabaseUnusable(
      `The database ${shownDatabase(url)} runs on PostgreSQL ${Math.floor(Number(version) / 10_000)}, but Cubby ` +
        `needs ${oldestVersion} or later. Set CUBBY_DATABASE_URL to another database.`,
    );
  if (encoding !== 'UTF8')
    throw new DatabaseUnusable(
      `The database ${shownDatabase(url)} has the encoding ${encoding}, but Cubby needs UTF8. Make another one: ` +
        `CREATE DATABASE ${url.database} ENCODING 'UTF8' TEMPLATE template0, and name it in CUBBY_DATABASE_URL.`,
    );
}

/**
 * Rejects a folder that holds files of another installation. With a new database it would look as if everything were
 * gone.
 *
 * @throws {DatabaseUnusable}
 */
function requireEmptyFolder(config: Config, url: DatabaseUrl): void {
  const blobs = join(config.dataDir, 'blobs');
  if (!hasDatabase(config) && isEmpty(blobs)) return;
  const found = hasDatabase(config) ? databaseOf(config) : blobs;
  throw new DatabaseUnusable(
    `The database ${shownDatabase(url)} is new, but ${found} belongs to an installation with other rows. ` +
      'Set CUBBY_DATABASE_URL to the database of that installation (unset it for SQLite), ' +
      'or set CUBBY_DATA_DIR to an empty folder.',
  );
}

function isEmpty(folder: string): boolean {
  return !existsSync(folder) || readdirSync(folder).length === 0;
}

/** Returns the master key. Only the first server over a database may make one. */
function masterKeyFor(config: Config, url: DatabaseUrl, isUsed: boolean): Promise<Uint8Array> {
  if (isUsed && config.masterKey === undefined && !existsSync(join(config.dataDir, 'master.key')))
    throw new MasterKeyUnusable(
      `The database ${shownDatabase(url)} was made with a master key that this server does not have. ` +
        'All servers over one database need the same key: copy master.key from the data folder of the first one into ' +
        `${config.dataDir}, or set CUBBY_MASTER_KEY_FILE for all of them.`,
    );
  return masterKeyOf(config.dataDir, config.masterKey, !isUsed);
}

async function problemsOf(config: Config, url: DatabaseUrl, pool: PostgresPool): Promise<string[]> {
  await requireFitting(url, pool);
  const rows = unopenedRows(pool);
  if ((await findKeyCheck(rows)) === undefined) return [];
  await requireUsable(pool);
  const masterKey = await masterKeyFor(config, url, true);
  return problemsOfKeys(rows, config, { database: shownDatabase(url), masterKey });
}
