import { expect, it } from 'vitest';

import { atMostEvery } from '#server/jobs/at-most-every.ts';

it('atMostEvery() runs the work once in a period, and again after a failure', async () => {
  let now = 5;
  let runs = 0;
  const run = atMostEvery(
    100,
    async () => {
      if (++runs === 2) throw new Error('failed');
      return runs;
    },
    () => now,
  );
  expect([await run(), await run()]).toEqual([1, 0]);
  now += 99;
  expect(await run()).toBe(0);
  now += 1;
  await expect(run()).rejects.toThrow('failed');
  expect([await run(), await run()]).toEqual([3, 0]);
});

it('atMostEvery() tries again when another server had the work', async () => {
  const outcomes = [undefined, 2, 3];
  const run = atMostEvery(
    100,
    async () => outcomes.shift(),
    () => 5,
  );
  expect([await run(), await run(), await run()]).toEqual([undefined, 2, 0]);
});
