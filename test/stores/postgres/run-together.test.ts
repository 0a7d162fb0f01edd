import { describe, expect, it } from 'vitest';

import type { Transaction } from '#server/domain/ports/metadata.ts';
import { noPostgres } from '#test/support/postgres/programs.ts';
import { because } from '#test/support/programs.ts';
import { accountId, content, object, record } from '../metadata/rows.ts';
import { openPostgres } from './open-postgres.ts';

const account = accountId;

/** Opens a store with an account. It counts the pieces of each commit of the account's transactions. */
async function open() {
  const commits: number[] = [];
  const store = await openPostgres({ onCommit: ({ pieces }) => void commits.push(pieces) });
  const { metadata } = store;
  await metadata.atomically((tx) => tx.accounts.add({ id: account, name: 'first', plan: 'pro', createdAt: 0 }));
  commits.length = 0;
  return {
    ...store,
    commits,
    /** Runs pieces of the account at once. */
    together: <T>(count: number, work: (tx: Transaction, at: number) => Promise<T>) =>
      Promise.allSettled(
        Array.from({ length: count }, (_, at) => metadata.atomically((tx) => work(tx, at), { account })),
      ),
    find: async () => (await metadata.read.accounts.find(account))!,
  };
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, number) => total + number, 0);
const kept = (outcomes: ReadonlyArray<PromiseSettledResult<unknown>>): number =>
  outcomes.filter(({ status }) => status === 'fulfilled').length;

describe.skipIf(noPostgres())(`pieces of one account that wait for each other${because(noPostgres())}`, () => {
  it('share transactions, each of them seeing the changes of those before', async () => {
    const { together, commits, find, metadata } = await open();
    const seen: number[] = [];
    await together(40, async (tx) => {
      seen.push((await tx.accounts.find(account))!.usedObjects);
      await tx.accounts.addUsage(account, { bytes: 2, objects: 1 });
      await tx.activity.add(record, tx.now);
      expect((await tx.accounts.find(account))!.usedObjects).toBe(seen.at(-1)! + 1);
    });
    expect(seen).toEqual(Array.from({ length: 40 }, (_, at) => at));
    expect(await find()).toMatchObject({ usedBytes: 80, usedObjects: 40, revision: 40 });
    const entries = await metadata.read.activity.scan({ accountId: account, limit: 100 });
    expect(entries.map(({ sequence }) => sequence)).toEqual(Array.from({ length: 40 }, (_, at) => 40 - at));
    expect(sum(commits)).toBe(40);
    expect(commits.length).toBeLessThan(6);
  });

  it('look a row up again that one before has written, and only that', async () => {
    const { together, metadata, commits } = await open();
    const keys = ['a', 'b', 'c'];
    const outcomes = await together(30, async (tx, at) => {
      const address = { accountId: account, space: 'public', key: keys[at % keys.length]! } as const;
      if (await tx.objects.find(address)) return false;
      await tx.contents.add(content(`content-${at}`));
      await tx.objects.put({ ...object, ...address, contentId: `content-${at}` });
      return true;
    });
    const made = outcomes.filter((outcome) => outcome.status === 'fulfilled' && outcome.value);
    expect([kept(outcomes), made.length]).toEqual([30, 3]);
    expect(
      await metadata.read.objects.scan({ accountId: account, space: 'public', prefix: '', limit: 9 }),
    ).toHaveLength(3);
    expect(commits.length).toBeLessThan(6);
  });

  it('keep the work of the others when one fails before it has written, or after', async () => {
    const { together, find } = await open();
    const refusal = new Error('a refusal');
    const outcomes = await together(24, async (tx, at) => {
      await tx.accounts.addUsage(account, { bytes: 1, objects: 1 });
      if (at % 4 === 1) throw refusal;
      // A statement that is waited for is sent, with all before it.
      if (at % 4 === 2) await tx.accounts.setAiBudget(account, at);
      if (at % 4 === 2) throw refusal;
      // There is no such account, so the database rejects the row, when the work has long gone on.
      if (at % 4 === 3)
        await tx.apps.add({ id: `a${at}`, accountId: 'nobody', name: 'a', createdAt: 0, isBuiltIn: false });
    });
    expect(kept(outcomes)).toBe(6);
    expect(await find()).toMatchObject({ usedBytes: 6, usedObjects: 6, aiTokensPerDay: null });
    for (const [at, outcome] of outcomes.entries())
      if (outcome.status === 'rejected')
        expect(outcome.reason).toMatchObject(at % 4 === 3 ? { code: '23503' } : { message: 'a refusal' });
  });

  it('calls back for those that were kept, in the context of their callers', async () => {
    const { together } = await open();
    const called: number[] = [];
    await together(20, async (tx, at) => {
      tx.afterCommit(() => void called.push(at));
      await tx.accounts.addUsage(account, { bytes: 1, objects: 0 });
      if (at % 2 === 1) throw new Error('a refusal');
    });
    expect(called).toEqual([0, 2, 4, 6, 8, 10, 12, 14, 16, 18]);
  });

  it('run again from their beginning if they ask for the time too early, and leave nothing of that run', async () => {
    const { together, find } = await open();
    const outcomes = await together(10, async (tx) => {
      // Work that goes on after the error has no effect either.
      await Promise.resolve()
        .then(() => tx.now)
        .catch(() => {});
      await tx.accounts.addUsage(account, { bytes: 1, objects: 0 });
      return tx.now;
    });
    expect(kept(outcomes)).toBe(10);
    expect((await find()).usedBytes).toBe(10);
  });
});
