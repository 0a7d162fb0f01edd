import { describe, expect, it } from 'vitest';

import { recordRun } from '#server/domain/jobs/run-job.ts';
import { schedule } from '#server/jobs/schedule.ts';
import { openTestStores } from '#test/support/stores.ts';

describe('recordRun()', () => {
  it('keeps what another server has just stored when this one did nothing', async () => {
    const stores = await openTestStores();
    const stored = async () =>
      (await stores.metadata.read.jobRuns.list()).map(({ startedAt, count }) => [startedAt, count]);
    const run = (startedAt: number, work: () => Promise<number>) =>
      recordRun(stores, { job: 'one', startedAt, quietMs: 100 }, work);
    await run(1_000, async () => 0);
    expect(await stored()).toEqual([[1_000, 0]]);
    await run(1_010, async () => 7);
    expect(await run(1_109, async () => 0)).toBe(0);
    expect(await stored()).toEqual([[1_010, 7]]);
    await expect(run(1_109, () => Promise.reject(new Error('broken')))).rejects.toThrow('broken');
    await run(1_208, async () => 0);
    expect(await stored()).toEqual([[1_109, null]]);
    await run(1_209, async () => 0);
    expect(await stored()).toEqual([[1_209, 0]]);
    await recordRun(stores, { job: 'one', startedAt: 1_210 }, async () => 0);
    expect(await stored()).toEqual([[1_210, 0]]);
  });

  it('is told by the schedule which jobs several servers share out', async () => {
    const stores = await openTestStores();
    const counts = [7, 0];
    const run = async () => counts[0]!;
    const jobs = schedule({
      ...stores,
      eventsKeptMs: 0,
      aiRequestsKeptMs: 0,
      jobs: {
        shared: { stage: 'files', trustsClock: false, isByAccount: true, run },
        single: { stage: 'files', trustsClock: false, run },
      },
      leases: { take: async (job) => ({ job, epoch: 1 }), end: async () => {} },
      shared: {},
      readClock: async () => ({ now: stores.clock.now(), jump: undefined }),
      onRan: () => {},
      onWaiting: () => {},
      onDone: () => {},
      onFault: (_job, error) => expect.unreachable(String(error)),
    });
    await jobs.runNow();
    counts.shift();
    await jobs.runNow();
    await jobs.stop();
    const stored = (await stores.metadata.read.jobRuns.list()).map(({ job, count }) => [job, count]);
    expect(stored).toEqual([
      ['shared', 7],
      ['single', 0],
    ]);
  });
});
