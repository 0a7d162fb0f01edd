import { describe, expect, it } from 'vitest';

import { deletedAccountsKeptMs } from '#server/domain/limits.ts';
import { removeAccounts } from '#server/domain/jobs/remove-accounts.ts';
import { openTestStores, type TestStores } from '#test/support/stores.ts';

/** Adds accounts that are due, in the order in which a run reads them. */
async function dueAccounts({ metadata, clock, account }: TestStores, count: number): Promise<string[]> {
  const ids: string[] = [];
  for (let at = 0; at < count; at++) {
    const { id } = await account();
    await metadata.atomically((tx) => tx.accounts.setDeleted(id, clock.now() - deletedAccountsKeptMs - count + at));
    ids.push(id);
  }
  return ids;
}

const leftOf = async ({ metadata, clock }: TestStores) =>
  (await metadata.read.accounts.deletedBefore(clock.now() - deletedAccountsKeptMs, 100)).map(({ id }) => id);

describe('removeAccounts()', () => {
  it('removes all other accounts when some fail, throws the first error, and goes on in the next run', async () => {
    const stores = await openTestStores();
    const due = await dueAccounts(stores, 6);
    const failing = [due[0]!, due[3]!];
    const fail = async (_deps: unknown, id: string) => {
      if (failing.includes(id)) throw new Error(`busy ${id}`);
    };
    const run = (accountEmptiers: Parameters<typeof removeAccounts>[0]['accountEmptiers']) =>
      removeAccounts({ metadata: stores.metadata, accountEmptiers, random: () => 0 }, stores.clock.now());
    await expect(run([fail])).rejects.toThrow(`busy ${due[0]}`);
    expect(await leftOf(stores)).toEqual(failing);
    expect(await run([])).toBe(2);
    expect(await leftOf(stores)).toEqual([]);
  });

  it('ends after ten failures in a row, because the store fails then', async () => {
    const stores = await openTestStores();
    await dueAccounts(stores, 12);
    let attempts = 0;
    const fail = async () => {
      attempts++;
      throw new Error('the store fails');
    };
    const deps = { metadata: stores.metadata, accountEmptiers: [fail] };
    await expect(removeAccounts(deps, stores.clock.now())).rejects.toThrow('the store fails');
    expect(attempts).toBe(10);
  });

  it('reaches the accounts behind ten that fail each time, because it does not always begin with them', async () => {
    const stores = await openTestStores();
    const due = await dueAccounts(stores, 20);
    const fail = async (_deps: unknown, id: string) => {
      if (due.indexOf(id) < 10) throw new Error('always busy');
    };
    const deps = { metadata: stores.metadata, accountEmptiers: [fail] };
    const run = (from: number) => removeAccounts({ ...deps, random: () => from }, stores.clock.now());
    await expect(run(0)).rejects.toThrow('always busy');
    expect(await leftOf(stores)).toEqual(due);
    await expect(run(0.5)).rejects.toThrow('always busy');
    expect(await leftOf(stores)).toEqual(due.slice(0, 10));
  });
});
