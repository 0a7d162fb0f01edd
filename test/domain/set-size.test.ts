import { setTimeout as sleep } from 'node:timers/promises';

import { beforeEach, expect, it, vi } from 'vitest';

import { SetSize } from '#server/domain/set-size.ts';

let now = 0;
beforeEach(() => {
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => now);
  return () => clock.mockRestore();
});

/** Holds the event loop, as a database in this process does. */
async function hold(ms: number): Promise<void> {
  now += ms;
}

/** Changes items one set after another. Returns the sizes of the sets. */
async function sizesOf(items: number, work: (set: readonly number[]) => Promise<void>): Promise<number[]> {
  const sizes = new SetSize();
  const seen: number[] = [];
  await sizes.each(
    Array.from({ length: items }, (_, item) => item),
    async (set) => {
      seen.push(set.length);
      await sizes.measured(set, () => work(set));
    },
  );
  return seen;
}

it('begins small, and doubles while sets hold the event loop for a short time', async () => {
  expect(await sizesOf(150, () => hold(0.1))).toEqual([8, 16, 32, 50, 44]);
});

it('takes as few items as hold it for 10 ms, at least one', async () => {
  expect(await sizesOf(13, (set) => hold(5 * set.length + 1))).toEqual([8, 1, 1, 1, 1, 1]);
  expect(await sizesOf(10, () => hold(100))).toEqual([8, 1, 1]);
});

it('keeps a size at which items fit, and does not grow by sets that are shorter', async () => {
  const work = (set: readonly number[]) => hold(3.25 * set.length);
  expect(await sizesOf(17, work)).toEqual([8, 3, 3, 3]);
  const sizes = new SetSize();
  for (let turn = 0; turn < 5; turn++) await sizes.measured([1], () => hold(3.25));
  for (let turn = 0; turn < 5; turn++) await sizes.measured([], () => hold(0));
  expect(sizes.next).toBe(3);
});

it('grows over a network, where a set takes long and holds nothing', async () => {
  expect(
    await sizesOf(60, async () => {
      await sleep(1);
      await hold(100);
    }),
  ).toEqual([8, 16, 32, 4]);
});

it('learns from a set that fails', async () => {
  const sizes = new SetSize();
  const failing = () => hold(40).then(() => Promise.reject(new Error('undone')));
  await expect(sizes.measured([1, 2, 3, 4, 5, 6, 7, 8], failing)).rejects.toThrow('undone');
  expect(sizes.next).toBeLessThan(3);
});
