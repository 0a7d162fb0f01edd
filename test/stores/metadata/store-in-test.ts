import { afterEach, beforeEach } from 'vitest';

import type { Account } from '#server/domain/account/account.ts';
import type { Metadata, Transaction } from '#server/domain/ports/metadata.ts';
import { accountId, otherId } from './rows.ts';

/** A store to test. Its clock moves only when the test advances it. */
export interface OpenedMetadata {
  readonly metadata: Metadata;
  readonly clock: { now(): number; advance(ms: number): void };
  /** The number of its calls of `onMarkedForDeletion` after commits. */
  deletionMarks(): number;
  close(): Promise<void>;
}

/** The store of the running test. Each test gets its own store with two accounts. Between tests no store exists. */
export interface StoreInTest extends Omit<OpenedMetadata, 'close'> {
  /** The name of the store, for titles. */
  readonly name: string;
  readonly write: <T>(work: (tx: Transaction) => Promise<T>) => Promise<T>;
  /** Returns the account that readers see. */
  readonly account: (id?: string) => Promise<Account>;
}

/** Opens a store before each test of the suite, and closes it after. */
export function storeInTest(name: string, open: () => Promise<OpenedMetadata>): StoreInTest {
  let opened: OpenedMetadata;
  beforeEach(async () => {
    opened = await open();
    await opened.metadata.atomically(async (tx) => {
      await tx.accounts.add({ id: accountId, name: 'first', plan: 'pro', createdAt: 2000 });
      await tx.accounts.add({ id: otherId, name: 'second', plan: 'hobby', createdAt: 1000 });
    });
  });
  afterEach(() => opened.close());
  return {
    name,
    get metadata() {
      return opened.metadata;
    },
    get clock() {
      return opened.clock;
    },
    deletionMarks: () => opened.deletionMarks(),
    write: (work) => opened.metadata.atomically(work),
    account: async (id = accountId) => (await opened.metadata.read.accounts.find(id))!,
  };
}
