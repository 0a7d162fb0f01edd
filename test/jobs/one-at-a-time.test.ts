import { setImmediate as tick } from 'node:timers/promises';

import { describe, expect, it } from 'vitest';

import { oneAtATime } from '#server/jobs/one-at-a-time.ts';

/** Work that runs until it is told to end. It counts how many runs overlap at most. */
function work() {
  const ends: Array<PromiseWithResolvers<number>> = [];
  let underWay = 0;
  let most = 0;
  const run = oneAtATime(async () => {
    most = Math.max(most, ++underWay);
    const end = Promise.withResolvers<number>();
    ends.push(end);
    try {
      return await end.promise;
    } finally {
      underWay--;
    }
  });
  return { run, ends, most: () => most };
}

describe('oneAtATime()', () => {
  it('runs once more after the current run, for all calls that came meanwhile', async () => {
    const { run, ends, most } = work();
    const first = run();
    await tick();
    const others = [run(), run(), run()];
    await tick();
    expect(ends).toHaveLength(1);
    ends[0]!.resolve(1);
    expect(await first).toBe(1);
    await tick();
    expect(ends).toHaveLength(2);
    ends[1]!.resolve(2);
    expect(await Promise.all(others)).toEqual([2, 2, 2]);
    expect(most()).toBe(1);
  });

  it('rejects the calls of a failed run, and runs again for the next', async () => {
    const { run, ends } = work();
    const first = run();
    await tick();
    const second = run();
    ends[0]!.reject(new Error('full'));
    await expect(first).rejects.toThrow('full');
    await tick();
    ends[1]!.resolve(7);
    expect(await second).toBe(7);
  });
});
