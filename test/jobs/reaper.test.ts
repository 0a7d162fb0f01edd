import { setTimeout as sleep } from 'node:timers/promises';

import { describe, expect, it } from 'vitest';

import { reaper } from '#server/jobs/reaper.ts';

describe('reaper()', () => {
  it('pauses after a failed run, however often it is nudged, and no longer after one that worked', async () => {
    let isFailing = true;
    const runs: number[] = [];
    const faults: unknown[] = [];
    const run = async () => {
      runs.push(performance.now());
      if (isFailing) throw new Error('down');
    };
    const work = reaper({ run, onFault: (error) => faults.push(error), delayMs: 5 });
    for (let nudge = 0; nudge < 50; nudge++) {
      work.nudge();
      await sleep(10);
    }
    expect([runs.length, faults.length]).toEqual([1, 1]);
    isFailing = false;
    await expect.poll(() => runs.length, { timeout: 5000, interval: 10 }).toBe(2);
    expect(runs[1]! - runs[0]!).toBeGreaterThan(900);
    work.nudge();
    await expect.poll(() => runs.length, { timeout: 500, interval: 10 }).toBe(3);
    await work.stop();
  });
});
