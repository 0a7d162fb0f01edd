import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

import { debouncer } from '#server/jobs/debouncer.ts';

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] }));
afterEach(() => void vi.useRealTimers());

/** Debounced work that fails while `isFailing` is set, with the times of its runs and its faults. */
function failingWork(delayMs?: number, drains?: boolean) {
  const startedAt = performance.now();
  const state = { isFailing: true, runs: [] as number[], faults: [] as unknown[] };
  const run = async () => {
    state.runs.push(performance.now() - startedAt);
    if (state.isFailing) throw new Error('down');
  };
  const work = debouncer({
    run,
    onFault: (error) => state.faults.push(error),
    ...(delayMs !== undefined && { delayMs }),
    ...(drains !== undefined && { drains }),
  });
  return { state, work };
}

describe('debouncer()', () => {
  it('runs once for many nudges, one delay after the first', async () => {
    const { state, work } = failingWork();
    state.isFailing = false;
    for (let nudge = 0; nudge < 49; nudge++) {
      work.nudge();
      await vi.advanceTimersByTimeAsync(1);
    }
    expect(state.runs).toEqual([]);
    await vi.advanceTimersByTimeAsync(1);
    expect(state.runs).toEqual([50]);
    await vi.advanceTimersByTimeAsync(600_000);
    expect(state.runs).toHaveLength(1);
    await work.stop();
  });

  it('pauses after a failed run, however often it is nudged, and no longer after a run that worked', async () => {
    const { state, work } = failingWork(5);
    for (let nudge = 0; nudge < 100; nudge++) {
      work.nudge();
      await vi.advanceTimersByTimeAsync(10);
    }
    expect([state.runs, state.faults.length]).toEqual([[5], 1]);
    state.isFailing = false;
    await vi.advanceTimersByTimeAsync(5);
    expect(state.runs).toEqual([5, 1005]);
    work.nudge();
    await vi.advanceTimersByTimeAsync(5);
    expect(state.runs).toEqual([5, 1005, 1010]);
    await work.stop();
  });

  it('doubles the pause after each further failure, up to a minute, and then retries without a nudge', async () => {
    const { state, work } = failingWork(5);
    for (let nudge = 0; nudge < 30_000; nudge++) {
      work.nudge();
      await vi.advanceTimersByTimeAsync(10);
    }
    const pauses = state.runs.slice(1).map((at, index) => at - state.runs[index]!);
    expect(pauses).toEqual([1000, 2000, 4000, 8000, 16_000, 32_000, 60_000, 60_000, 60_000]);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(state.runs).toHaveLength(11);
    await work.stop();
  });

  it('does nothing once it is stopped', async () => {
    const { state, work } = failingWork();
    work.nudge();
    await work.stop();
    work.nudge();
    await vi.advanceTimersByTimeAsync(600_000);
    expect(state.runs).toEqual([]);
  });

  it.each([false, true])('runs once more when it stops, if it drains: %s', async (drains) => {
    const { state, work } = failingWork(5, drains);
    work.nudge();
    await work.stop();
    expect([state.runs.length, state.faults.length]).toEqual(drains ? [1, 1] : [0, 0]);
    work.nudge();
    await vi.advanceTimersByTimeAsync(100);
    expect(state.runs).toHaveLength(drains ? 1 : 0);
  });
});
