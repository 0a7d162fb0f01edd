import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { onTestFinished } from 'vitest';

import { parseConfig } from '#server/config/config.ts';
import type { ApiKey } from '#server/domain/access/api-key.ts';
import type { Caller } from '#server/domain/access/caller.ts';
import type { Account } from '#server/domain/account/account.ts';
import type { ChatReservations } from '#server/features/chat/reservations/chat-reservations.ts';
import type { Plan } from '#server/domain/plan.ts';
import type { BlobStore, BlobUpkeep } from '#server/domain/ports/blobs.ts';
import type { Ids } from '#server/domain/ports/ids.ts';
import type { Metadata } from '#server/domain/ports/metadata.ts';
import type { PasswordTries } from '#server/features/shares/password-tries.ts';
import type { Secrets } from '#server/domain/ports/secrets.ts';
import { randomIds } from '#server/stores/system/ids.ts';
import { masterSecrets } from './master-secrets.ts';
import { changeStored, removeStores, settingsOfStores, storedRows } from './chosen-store.ts';
import { TestClock } from './clock.ts';
import {
  openBucket,
  openFiles,
  openPostgresRows,
  openSqliteRows,
  type Opened,
  type RowsInTest,
  type RowWatch,
  type SqliteRows,
} from './open-stores.ts';
import { changeSqlite, sqliteRows, type StoredRow, type StoredRows } from './stored.ts';

/** Real stores in places of their own, without a server around them. */
export interface TestStores {
  readonly metadata: Metadata;
  readonly blobs: BlobStore & BlobUpkeep;
  readonly chatReservations: ChatReservations;
  readonly passwordTries: PasswordTries;
  readonly secrets: Secrets;
  readonly ids: Ids;
  readonly clock: TestClock;
  /** Returns how many times the metadata store reported, after a commit, that blobs can be removed. */
  readonly deletionMarks: () => number;
  /** Errors that were thrown after a commit. */
  readonly faults: readonly unknown[];
  /** Reads rows past the store's code. */
  stored(sql: string): Promise<StoredRow[]>;
  /** Changes rows past the store's code. Returns how many. */
  change(sql: string): Promise<number>;
  /** Adds an account. The quota defaults to that of the plan. */
  account(options?: { readonly plan?: Plan; readonly quotaBytes?: number }): Promise<Account>;
  /** Returns the account in its current state, as the caller with its unrestricted key. */
  caller(account: Pick<Account, 'id'>): Promise<Caller>;
  /** May be called twice. */
  close(): Promise<void>;
}

/** SQLite and files, for tests of that engine and of what is only used with it. */
export type SqliteStores = TestStores & SqliteRows;

/** The parts that differ between engines. */
interface Engines<Rows extends RowsInTest> {
  openRows(watch: RowWatch): Promise<Rows>;
  openBlobs(): Promise<Opened<BlobStore & BlobUpkeep>>;
  storedRows(): Promise<StoredRows>;
  change(sql: string): Promise<number>;
  remove(): Promise<void>;
}

/**
 * Opens the stores that `CUBBY_TEST_STORE` chooses. They close when the test ends. The caller closes stores that were
 * opened outside of a test. Nothing is synced to disk, because no test here cuts the power.
 */
export async function openTestStores(): Promise<TestStores> {
  const folder = await newFolder();
  const { databaseUrl, bucket } = parseConfig({ CUBBY_DATA_DIR: folder, ...(await settingsOfStores(folder)) });
  return storesOver({
    openRows: (watch) => (databaseUrl ? openPostgresRows(databaseUrl, watch) : openSqliteRows(folder, watch)),
    openBlobs: () => (bucket ? openBucket(bucket) : openFiles(folder)),
    storedRows: () => storedRows(folder),
    change: (sql) => changeStored(folder, sql),
    async remove() {
      await removeStores(folder);
      await rm(folder, { recursive: true, force: true });
    },
  });
}

/** Opens SQLite and files, whatever is chosen. */
export async function openSqliteStores(): Promise<SqliteStores> {
  const folder = await newFolder();
  return storesOver({
    openRows: (watch) => openSqliteRows(folder, watch),
    openBlobs: () => openFiles(folder),
    storedRows: async () => sqliteRows(folder),
    change: (sql) => changeSqlite(folder, sql),
    remove: () => rm(folder, { recursive: true, force: true }),
  });
}

const newFolder = () => mkdtemp(join(tmpdir(), 'cubby-stores-'));

async function storesOver<Rows extends RowsInTest>(engines: Engines<Rows>) {
  const clock = new TestClock();
  const faults: unknown[] = [];
  let deletionMarks = 0;
  const rows = await engines.openRows({
    now: () => clock.now(),
    onFault: (error) => void faults.push(error),
    onMarkedForDeletion: () => void deletionMarks++,
  });
  const { opened: blobs, close: closeBlobs } = await engines.openBlobs();
  const { metadata } = rows;
  let closing: Promise<void> | undefined;
  const closeAll = async () => {
    await rows.close();
    await closeBlobs();
    await engines.remove();
  };
  const stores = {
    ...rows,
    blobs,
    secrets: masterSecrets(Buffer.alloc(32, 7)),
    ids: randomIds,
    clock,
    deletionMarks: () => deletionMarks,
    faults,
    async stored(sql: string) {
      const opened = await engines.storedRows();
      return opened.all(sql).finally(() => opened.close());
    },
    change: (sql: string) => engines.change(sql),
    account: (options?: Parameters<TestStores['account']>[0]) => addAccount(metadata, options),
    async caller({ id }: Pick<Account, 'id'>) {
      return { account: (await metadata.read.accounts.find(id))!, key: await keyOf(metadata, id) };
    },
    close: () => (closing ??= closeAll()),
  };
  if (isInTest()) onTestFinished(() => stores.close());
  return stores;
}

async function addAccount(
  metadata: Metadata,
  { plan = 'enterprise', quotaBytes }: Parameters<TestStores['account']>[0] = {},
): Promise<Account> {
  const id = randomIds.accountId();
  await metadata.atomically(async (tx) => {
    await tx.accounts.add({ id, name: 'test', plan, createdAt: tx.now });
    if (quotaBytes !== undefined) await tx.accounts.setQuota(id, quotaBytes);
  });
  return (await metadata.read.accounts.find(id))!;
}

/** Returns the key of an account in these tests. The first call adds it. */
async function keyOf(metadata: Metadata, accountId: string): Promise<ApiKey> {
  const key: ApiKey = {
    id: `key-of-${accountId}`,
    accountId,
    name: 'k',
    scopes: ['*'],
    resources: null,
    prefixes: null,
    ai: null,
    createdAt: 0,
    lastUsedAt: null,
    expiresAt: null,
    revokedAt: null,
    last4: 'abcd',
    s3Salt: null,
    s3Check: null,
    s3Sealed: null,
  };
  await metadata.atomically(async (tx) => {
    if (!(await tx.apiKeys.find(key.id))) await tx.apiKeys.add(key, Buffer.from(accountId));
  });
  return key;
}

function isInTest(): boolean {
  try {
    onTestFinished(() => {});
    return true;
  } catch {
    return false;
  }
}
