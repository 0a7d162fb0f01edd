import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { onTestFinished } from 'vitest';

import type { ApiKey } from '#server/domain/access/api-key.ts';
import type { Caller } from '#server/domain/access/caller.ts';
import type { Account } from '#server/domain/account/account.ts';
import type { Plan } from '#server/domain/plan.ts';
import type { Ids } from '#server/domain/ports/ids.ts';
import type { Secrets } from '#server/domain/ports/secrets.ts';
import { FilesystemBlobStore } from '#server/stores/filesystem/blobs.ts';
import { Connections } from '#server/stores/sqlite/connection.ts';
import { SqliteMetadata } from '#server/stores/sqlite/metadata.ts';
import { randomIds } from '#server/stores/system/ids.ts';
import { masterSecrets } from '#server/stores/system/secrets.ts';
import { TestClock } from './clock.ts';
import { writeFreshDatabase } from './fresh-folder.ts';

/** The real stores over a temporary folder, without a server around them. */
export interface TestStores {
  readonly metadata: SqliteMetadata;
  readonly connections: Connections;
  readonly blobs: FilesystemBlobStore;
  readonly secrets: Secrets;
  readonly ids: Ids;
  readonly clock: TestClock;
  /** Returns how many times the metadata store reported, after a commit, that blobs can be removed. */
  readonly deletionMarks: () => number;
  /** Errors that were thrown after a commit. */
  readonly faults: readonly unknown[];
  /** Adds an account. The quota defaults to that of the plan. */
  account(options?: { readonly plan?: Plan; readonly quotaBytes?: number }): Promise<Account>;
  /** Returns the account in its current state, as the caller with its unrestricted key. */
  caller(account: Pick<Account, 'id'>): Promise<Caller>;
  close(): Promise<void>;
}

/**
 * Opens stores that close when the test ends. The caller closes stores that were opened outside of a test. Nothing is
 * synced to disk, because no test here cuts the power.
 */
export async function openTestStores(): Promise<TestStores> {
  const folder = await mkdtemp(join(tmpdir(), 'cubby-stores-'));
  const path = join(folder, 'cubby.db');
  writeFreshDatabase(path);
  const connections = new Connections(path, { sync: false });
  const clock = new TestClock();
  const faults: unknown[] = [];
  let deletionMarks = 0;
  const metadata = new SqliteMetadata(connections, {
    now: () => clock.now(),
    onFault: (error) => void faults.push(error),
    onMarkedForDeletion: () => void deletionMarks++,
    isCaching: process.env.CUBBY_CACHES !== 'off',
  });
  const stores: TestStores = {
    metadata,
    connections,
    blobs: await FilesystemBlobStore.open(join(folder, 'blobs'), { sync: false }),
    secrets: masterSecrets(Buffer.alloc(32, 7)),
    ids: randomIds,
    clock,
    deletionMarks: () => deletionMarks,
    faults,
    async account({ plan = 'enterprise', quotaBytes } = {}) {
      const id = randomIds.accountId();
      await metadata.atomically(async (tx) => {
        await tx.accounts.add({ id, name: 'test', plan, createdAt: tx.now });
        if (quotaBytes !== undefined) await tx.accounts.setQuota(id, quotaBytes);
      });
      return (await metadata.read.accounts.find(id))!;
    },
    async caller({ id }) {
      return { account: (await metadata.read.accounts.find(id))!, key: await keyOf(metadata, id) };
    },
    async close() {
      await metadata.close();
      connections.close();
      await stores.blobs.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
  if (isInTest()) onTestFinished(() => stores.close());
  return stores;
}

/** Returns the key of an account in these tests. The first call adds it. */
async function keyOf(metadata: SqliteMetadata, accountId: string): Promise<ApiKey> {
  const key: ApiKey = {
    id: `key-of-${accountId}`,
    accountId,
    name: 'k',
    scopes: ['*'],
    resources: null,
    prefixes: null,
    createdAt: 0,
    lastUsedAt: null,
    expiresAt: null,
    revokedAt: null,
    last4: 'abcd',
    s3Salt: null,
    s3Check: null,
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
