import { describe, expect, it } from 'vitest';

import { confirmClock } from '#server/domain/jobs/confirm-clock.ts';
import type { ClockBaseline } from '#server/domain/jobs/table.ts';
import { readClock, watchClock } from '#server/domain/jobs/watch-clock.ts';
import { MetadataUnavailable } from '#server/domain/ports/metadata.ts';
import { openTestStores } from '#test/support/stores.ts';

const day = 86_400_000;

async function start() {
  const stores = await openTestStores();
  let monotonic = 5000;
  let baseline: ClockBaseline | undefined;
  const clockBaselines = { find: async () => baseline, save: async (next: ClockBaseline) => void (baseline = next) };
  const deps = { ...stores, clockBaselines, monotonic: { origin: 'this start', nowMs: () => monotonic } };
  const pass = (wallMs: number, monotonicMs = wallMs) => {
    stores.clock.advance(wallMs);
    monotonic += monotonicMs;
  };
  return { stores, deps, read: await watchClock(deps), pass };
}

describe('watchClock()', () => {
  it('trusts a clock that runs for any time, and one that is corrected by up to a day', async () => {
    const { stores, read, pass } = await start();
    for (const [wall, monotonic] of [
      [400 * day, 400 * day],
      [day, 0],
      [-day, 0],
      [-day, 0],
    ]) {
      pass(wall!, monotonic);
      expect(await read()).toEqual({ now: stores.clock.now(), jump: undefined });
    }
  });

  it.each([
    [day + 1, 0],
    [-day - 1, 0],
    [1000 + 30 * day, 1000],
  ])('notices a jump when %i ms pass within %i, and keeps it until it is confirmed', async (wall, monotonic) => {
    const { stores, deps, read, pass } = await start();
    pass(wall, monotonic);
    const jump = { noticedAt: stores.clock.now(), byMs: wall - monotonic };
    expect(await read()).toEqual({ now: stores.clock.now(), jump });
    pass(1000);
    expect((await read()).jump).toEqual(jump);
    expect((await (await watchClock(deps))()).jump).toEqual(jump);
    expect(await confirmClock(stores)).toBe(true);
    expect(await confirmClock(stores)).toBe(false);
    expect((await read()).jump).toBeUndefined();
  });

  it('notices a jump in small steps', async () => {
    const { read, pass } = await start();
    pass(0.6 * day, 0);
    expect((await read()).jump).toBeUndefined();
    pass(0.6 * day, 0);
    expect((await read()).jump).toBeDefined();
  });

  it('notices a jump again when it could not be stored', async () => {
    const { stores, deps, pass } = await start();
    let isDown = true;
    const atomically: typeof stores.metadata.atomically = (work) =>
      isDown ? Promise.reject(new MetadataUnavailable('down', undefined)) : stores.metadata.atomically(work);
    const read = await watchClock({ ...deps, metadata: { read: stores.metadata.read, atomically } });
    pass(2 * day, 0);
    await expect(read()).rejects.toThrow('down');
    isDown = false;
    expect((await read()).jump).toBeDefined();
  });

  it('trusts the clock at its start: time that passes while it is stopped is no jump', async () => {
    const { deps, pass } = await start();
    pass(30 * day, 0);
    expect((await (await watchClock(deps))()).jump).toBeUndefined();
  });

  it('notices a jump even when the shared baseline is of another start of the machine', async () => {
    const { deps, read, pass } = await start();
    await deps.clockBaselines.save({ origin: 'another start', offsetMs: 0 });
    pass(2 * day, 0);
    expect((await read()).jump).toBeDefined();
  });
});

describe('readClock()', () => {
  it('notices a jump before the server does, which then does not notice it again', async () => {
    const { stores, deps, read, pass } = await start();
    pass(2 * day, 0);
    const jump = { noticedAt: stores.clock.now(), byMs: 2 * day };
    expect(await readClock(deps)).toEqual({ now: stores.clock.now(), jump });
    expect((await readClock(deps)).jump).toEqual(jump);
    expect((await read()).jump).toEqual(jump);
    await confirmClock(stores);
    expect([(await read()).jump, (await readClock(deps)).jump]).toEqual([undefined, undefined]);
  });

  it('trusts a clock that runs for any time', async () => {
    const { deps, pass } = await start();
    pass(400 * day);
    expect((await readClock(deps)).jump).toBeUndefined();
  });

  it('notices no jump across a start of the machine, and then compares with its own baseline', async () => {
    const { deps, pass } = await start();
    const later = { ...deps, monotonic: { ...deps.monotonic, origin: 'the next start' } };
    pass(30 * day, 0);
    expect((await readClock(later)).jump).toBeUndefined();
    pass(2 * day, 0);
    expect((await readClock(later)).jump).toBeDefined();
  });
});
