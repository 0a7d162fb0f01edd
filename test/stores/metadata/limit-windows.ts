import { describe, expect, it } from 'vitest';

import type { StoreInTest } from './store-in-test.ts';

/** The table of limit windows. */
export function limitWindowsConformance(store: StoreInTest): void {
  const { name, write } = store;

  describe(`${name}: limit windows`, () => {
    it('are kept until they and their blocks have ended, and are then removed', async () => {
      const windows = [
        { key: 'over', used: 1, endsAt: 1000, blockedUntil: 0 },
        { key: 'lasting', used: 2, endsAt: 1001, blockedUntil: 0 },
        { key: 'blocking', used: 3, endsAt: 500, blockedUntil: 1001 },
        { key: 'unblocked', used: 4, endsAt: 500, blockedUntil: 1000 },
      ];
      await write(async (tx) => {
        for (const window of windows) await tx.limitWindows.save(window);
      });
      const live = async (now: number) =>
        (await write((tx) => tx.limitWindows.takeLive(now))).sort((a, b) => a.used - b.used);
      expect(await live(1000)).toEqual([windows[1], windows[2]]);
      expect(await live(0)).toEqual([windows[1], windows[2]]);
      expect(await live(1001)).toEqual([]);
      expect(await live(0)).toEqual([]);
    });

    it('replace one with the same key', async () => {
      await write((tx) => tx.limitWindows.save({ key: 'w', used: 1, endsAt: 10, blockedUntil: 0 }));
      await write((tx) => tx.limitWindows.save({ key: 'w', used: 2, endsAt: 20, blockedUntil: 30 }));
      expect(await write((tx) => tx.limitWindows.takeLive(0))).toEqual([
        { key: 'w', used: 2, endsAt: 20, blockedUntil: 30 },
      ]);
    });
  });
}
