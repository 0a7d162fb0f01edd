import { beforeEach, describe, expect, it, vi } from 'vitest';

import { inSets, together } from '#server/domain/in-sets.ts';
import { SetSize } from '#server/domain/set-size.ts';
import { MetadataFailed, MetadataUnavailable, type Transaction } from '#server/domain/ports/metadata.ts';

// Sets are as large as the time allows that the ones before them took, and a busy machine stops at any instant.
beforeEach(() => {
  const clock = vi.spyOn(performance, 'now').mockReturnValue(0);
  return () => clock.mockRestore();
});

/** A store without rows, which counts its transactions. `work` may fail in it. */
function fakeStore(failure: (transaction: number) => unknown = () => undefined) {
  const store = {
    transactions: 0,
    async atomically<T>(work: (tx: Transaction<never>) => Promise<T>): Promise<T> {
      const error = failure(++store.transactions);
      if (error !== undefined) throw error;
      return work({} as Transaction<never>);
    },
  };
  return store;
}

const numbers = (count: number) => Array.from({ length: count }, (_, index) => index);

describe('inSets()', () => {
  it('changes fifty light items in one transaction, and returns the outcomes in their order', async () => {
    const store = fakeStore();
    const outcomes = await inSets(store, {
      account: '1',
      items: numbers(125),
      sizes: SetSize.ofLightItems(),
      work: (_tx, set) =>
        together(set, async (item) => {
          // Later items are ready first.
          for (let turn = 0; turn < 125 - item; turn++) await undefined;
          return item * 2;
        }),
    });
    expect(outcomes).toEqual(numbers(125).map((item) => item * 2));
    expect(store.transactions).toBe(3);
  });

  it('gives each item a transaction of its own if their common one fails', async () => {
    const store = fakeStore();
    const broken = new MetadataFailed('broken', undefined);
    const work = async (_tx: unknown, set: readonly number[]) => {
      if (set.includes(3)) throw broken;
      return [...set];
    };
    const outcomes = await inSets(store, { account: '1', items: numbers(5), work });
    expect(outcomes).toEqual([0, 1, 2, broken, 4]);
    expect(store.transactions).toBe(6);
  });

  it('tries nothing more once the store is unavailable', async () => {
    const away = new MetadataUnavailable('away', undefined);
    const store = fakeStore((transaction) => (transaction === 1 ? away : undefined));
    const work = async (_tx: unknown, set: readonly number[]) => [...set];
    const outcomes = await inSets(store, { account: '1', items: numbers(51), work });
    expect(outcomes).toEqual(numbers(51).map(() => away));
    expect(store.transactions).toBe(1);
  });

  it('tries no item alone any more if the store goes away meanwhile', async () => {
    const away = new MetadataUnavailable('away', undefined);
    const broken = new MetadataFailed('broken', undefined);
    const store = fakeStore((transaction) => (transaction === 3 ? away : undefined));
    const work = async (_tx: unknown, set: readonly number[]) => (set.includes(4) ? Promise.reject(broken) : [...set]);
    const outcomes = await inSets(store, { account: '1', items: numbers(60), work });
    expect(outcomes).toEqual([0, ...numbers(59).map(() => away)]);
    expect(store.transactions).toBe(3);
  });

  it('passes on a bug', async () => {
    const bug = new TypeError('a bug');
    const work = async () => Promise.reject(bug);
    await expect(inSets(fakeStore(), { account: '1', items: [1], work })).rejects.toBe(bug);
  });
});

describe('together()', () => {
  it('changes items with the same name one after another, in their order', async () => {
    const seen: string[] = [];
    const work = async (item: string) => {
      seen.push(`${item} begins`);
      await undefined;
      seen.push(`${item} ends`);
    };
    await together(['a1', 'b1', 'a2', 'a3', 'b2'], work, ([name]) => name!);
    expect(seen.filter((one) => one.startsWith('a'))).toEqual(
      ['a1', 'a2', 'a3'].flatMap((item) => [`${item} begins`, `${item} ends`]),
    );
    // Others do not wait for them.
    expect(seen.slice(0, 2)).toEqual(['a1 begins', 'b1 begins']);
  });

  it('ends when all of it has ended, also if a part fails', async () => {
    let ended = 0;
    const work = async (item: number) => {
      if (item === 0) throw new Error('the first');
      for (let turn = 0; turn < 20; turn++) await undefined;
      ended++;
    };
    await expect(together([0, 1, 2], work)).rejects.toThrow('the first');
    expect(ended).toBe(2);
  });
});
