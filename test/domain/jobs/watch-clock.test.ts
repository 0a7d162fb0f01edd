import { describe, expect, it } from 'vitest';

import { confirmClock } from '#server/domain/jobs/confirm-clock.ts';
import { watchClock } from '#server/domain/jobs/watch-clock.ts';
import { MetadataUnavailable } from '#server/domain/ports/metadata.ts';
import { openTestStores } from '#test/support/stores.ts';

const day = 86_400_000;

async function start() {
  const stores = await openTestStores();
  let monotonic = 5000;
  const read = watchClock({ ...stores, monotonicMs: () => monotonic });
  const pass = (wallMs: number, monotonicMs = wallMs) => {
    stores.clock.advance(wallMs);
    monotonic += monotonicMs;
  };
  return { stores, read, pass, monotonicMs: () => monotonic };
}

describe('watchClock()', () => {
  it('trusts a clock that goes, however long, and one that is put right by up to a day', async () => {
    const { stores, read, pass } = await start();
    for (const [wall, monotonic] of [[400 * day, 400 * day], [day, 0], [-day, 0], [-day, 0]]) {
      pass(wall!, monotonic);
      expect(await read()).toEqual({ now: stores.clock.now(), jump: undefined });
    }
  });

  it.each([[day + 1, 0], [-day - 1, 0], [1000 + 30 * day, 1000]])('notices a jump when %i ms pass within %i, and keeps it until it is confirmed', async (wall, monotonic) => {
    const { stores, read, pass, monotonicMs } = await start();
    pass(wall, monotonic);
    const jump = { noticedAt: stores.clock.now(), byMs: wall - monotonic };
    expect(await read()).toEqual({ now: stores.clock.now(), jump });
    pass(1000);
    expect((await read()).jump).toEqual(jump);
    expect((await watchClock({ ...stores, monotonicMs })()).jump).toEqual(jump);
    expect(await confirmClock(stores)).toBe(true);
    expect(await confirmClock(stores)).toBe(false);
    expect((await read()).jump).toBeUndefined();
  });

  it('notices a jump that comes in small steps', async () => {
    const { read, pass } = await start();
    pass(0.6 * day, 0);
    expect((await read()).jump).toBeUndefined();
    pass(0.6 * day, 0);
    expect((await read()).jump).toBeDefined();
  });

  it('notices again a jump that could not be noted', async () => {
    const { stores, pass, monotonicMs } = await start();
    let isDown = true;
    const atomically: typeof stores.metadata.atomically = (work) => (isDown ? Promise.reject(new MetadataUnavailable('down', undefined)) : stores.metadata.atomically(work));
    const read = watchClock({ clock: stores.clock, metadata: { read: stores.metadata.read, atomically }, monotonicMs });
    pass(2 * day, 0);
    await expect(read()).rejects.toThrow('down');
    isDown = false;
    expect((await read()).jump).toBeDefined();
  });
});
