import { join } from 'node:path';

import type { DatabaseUrl } from '#server/config/database-url.ts';
import type { ChatReservations } from '#server/features/chat/reservations/chat-reservations.ts';
import type { Metadata } from '#server/domain/ports/metadata.ts';
import type { PasswordTries } from '#server/features/shares/password-tries.ts';
import { BucketBlobStore } from '#server/stores/bucket/bucket-blobs.ts';
import type { BucketLocation } from '#server/stores/bucket/options.ts';
import { FilesystemBlobStore } from '#server/stores/filesystem/blobs.ts';
import { MemoryChatReservations } from '#server/features/chat/stores/memory/chat-reservations.ts';
import { MemoryPasswordTries } from '#server/features/shares/stores/memory/password-tries.ts';
import { PostgresMetadata } from '#server/stores/postgres/metadata.ts';
import { PostgresPool } from '#server/stores/postgres/pool.ts';
import { PostgresChatReservations } from '#server/features/chat/stores/postgres/chat-reservations.ts';
import { stateDatabase } from '#server/stores/postgres/state/database.ts';
import { PostgresPasswordTries } from '#server/features/shares/stores/postgres/password-tries.ts';
import { Connections } from '#server/stores/sqlite/connection.ts';
import { SqliteMetadata } from '#server/stores/sqlite/metadata.ts';
import { writeFreshDatabase } from './fresh-folder.ts';
import { relaxed } from './postgres/time-limits.ts';

/** The rows of one engine, with the state that is exact over all servers of that engine. */
export interface RowsInTest {
  readonly metadata: Metadata;
  readonly chatReservations: ChatReservations;
  readonly passwordTries: PasswordTries;
  close(): Promise<void>;
}

/** The rows of SQLite, and what only tests of that engine look at. */
export interface SqliteRows extends RowsInTest {
  readonly connections: Connections;
  readonly chatReservations: MemoryChatReservations;
}

/** A clock and callbacks, as both engines take them. */
export interface RowWatch {
  readonly now: () => number;
  readonly onFault: (error: unknown) => void;
  readonly onMarkedForDeletion: () => void;
}

/** A store, and the function that closes it. */
export interface Opened<Store> {
  readonly opened: Store;
  close(): Promise<void>;
}

/** Opens a new SQLite database in a folder. */
export async function openSqliteRows(folder: string, watch: RowWatch): Promise<SqliteRows> {
  const path = join(folder, 'cubby.db');
  writeFreshDatabase(path);
  const connections = new Connections(path, { sync: false });
  const metadata = new SqliteMetadata(connections, {
    ...watch,
    ...(process.env.CUBBY_CACHES === 'off' && { cacheBytes: 0 }),
  });
  return {
    metadata,
    connections,
    chatReservations: new MemoryChatReservations(metadata),
    passwordTries: new MemoryPasswordTries(),
    async close() {
      await metadata.close();
      connections.close();
    },
  };
}

/** Every database has this process without a lease. */
const owner = () => '';

/** Opens a PostgreSQL database that has all tables. */
export async function openPostgresRows(url: DatabaseUrl, watch: RowWatch): Promise<RowsInTest> {
  const pool = new PostgresPool(url, { timeLimitFactor: relaxed });
  const metadata = new PostgresMetadata(pool, watch);
  const database = stateDatabase(pool);
  return {
    metadata,
    chatReservations: new PostgresChatReservations(database, owner, metadata),
    passwordTries: new PostgresPasswordTries(database),
    close: () => metadata.close(),
  };
}

/** Opens the files of a folder. */
export async function openFiles(folder: string): Promise<Opened<FilesystemBlobStore>> {
  const opened = await FilesystemBlobStore.open(join(folder, 'blobs'), { sync: false });
  return { opened, close: () => opened.close() };
}

/** Opens a place in a bucket. */
export async function openBucket(location: BucketLocation): Promise<Opened<BucketBlobStore>> {
  const opened = new BucketBlobStore(location);
  return { opened, close: () => opened.close() };
}
