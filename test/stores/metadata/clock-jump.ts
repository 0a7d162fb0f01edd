import { describe, expect, it } from 'vitest';

import type { StoreInTest } from './store-in-test.ts';

/** The row of a clock jump. */
export function clockJumpConformance(store: StoreInTest): void {
  const { name, write } = store;

  describe(`${name}: the jump of the clock`, () => {
    it('is kept until it is cleared, and a new jump replaces the last one', async () => {
      expect(await store.metadata.read.clockJump.find()).toBeUndefined();
      await write((tx) => tx.clockJump.save({ noticedAt: 5, byMs: 90_000_000 }));
      await write((tx) => tx.clockJump.save({ noticedAt: 6, byMs: -90_000_000 }));
      expect(await store.metadata.read.clockJump.find()).toEqual({ noticedAt: 6, byMs: -90_000_000 });
      expect(await write((tx) => tx.clockJump.clear())).toBe(true);
      expect(await write((tx) => tx.clockJump.clear())).toBe(false);
      expect(await write((tx) => tx.clockJump.find())).toBeUndefined();
    });
  });
}
