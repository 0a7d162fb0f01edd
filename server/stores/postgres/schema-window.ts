import { MigrationRefused, type Migration } from '#server/stores/system/migration-files.ts';
import type { Session } from './session.ts';
import { databaseMs } from './state/database.ts';

/*
 * Which versions of the server may use which version of the tables. While an upgrade rolls over several servers, older
 * ones use tables that a newer one has migrated. Each migration says how old a server may be after it.
 */

/** `-- oldest server: 3`, on a line of its own. */
const statement = /^-- oldest server: (\d+)$/m;

/**
 * Returns the oldest version of the server that goes on serving after a migration, if its file says so. Without that,
 * it is the first version that knows the migration.
 */
export function statedOldestServer({ version, name, sql }: Migration): number | undefined {
  const stated = statement.exec(sql)?.[1];
  if (stated === undefined) return undefined;
  const oldest = Number(stated);
  if (oldest < 1 || oldest > version)
    throw new MigrationRefused(
      `Migration ${name} must name an oldest server from 1 to ${version}. It names ${oldest}.`,
    );
  return oldest;
}

/** How far a database is. */
interface SchemaState {
  /** The number of migrations that it has had. */
  readonly version: number;
  /** The oldest version of the server that it takes. */
  readonly oldestServer: number;
}

/** The {@link SchemaState} of a database, as SQL that selects two columns. */
export const schemaState =
  'SELECT count(*) AS version, max(coalesce(oldest_server, version)) AS oldest_server FROM schema_migrations';

/** Rejects a server whose newest migration is `known`, if the database takes only newer ones. */
export function requireServed({ version, oldestServer }: SchemaState, known: number): void {
  if (known >= oldestServer) return;
  throw new MigrationRefused(
    `The database is at version ${version}, but this Cubby knows only ${known}: a newer Cubby has used it, and it ` +
      `takes only servers that know version ${oldestServer}. ` +
      'Start a newer version, or restore a backup from before the upgrade.',
  );
}

/** The servers that run and do not know a version. A process without a lease is none. */
const olderServers = `SELECT count(*), min(version) FROM replicas
  WHERE replica_id <> '' AND leased_until > ${databaseMs} AND version < $1`;

/**
 * Rejects a migration that servers which run would not survive.
 *
 * @param isFinal whether no older server may join until the end of the transaction
 */
export async function requireNoOlderServer(session: Session, migration: Migration, isFinal = false): Promise<void> {
  const oldest = statedOldestServer(migration) ?? migration.version;
  // The first migration makes the table of the servers.
  if (migration.version === 1) return;
  // Servers take their leases and renew them under a lock that excludes this one.
  if (isFinal) await session.command('LOCK TABLE replicas IN SHARE MODE');
  const { rows } = await session.query<readonly [number, number | null]>(olderServers, [oldest]);
  const [count, version] = rows[0]!;
  if (count === 0) return;
  throw new MigrationRefused(
    `Migration ${migration.name} was not applied: only servers that know version ${oldest} work after it, and ` +
      `${count} that do not are running (the oldest knows ${version}). ` +
      `They go on as before. Replace them all with a version in between, or stop them, then start again.`,
  );
}
