import { describe, expect, it } from 'vitest';

import type { NamedPreset } from '#server/features/images/preset.ts';
import { accountId, otherId } from './rows.ts';
import type { StoreInTest } from './store-in-test.ts';

/** The table of image presets. */
export function imagePresetsConformance(store: StoreInTest): void {
  const { name, write } = store;

  describe(`${name}: image presets`, () => {
    const preset = (called: string, width = 320): NamedPreset => ({
      name: called,
      variant: { width, height: null, fit: 'contain', quality: 70, format: 'auto' },
    });
    const replace = (presets: readonly NamedPreset[], of = accountId) =>
      write((tx) => tx.imagePresets.replaceAll(of, presets));
    const listed = (of = accountId) => store.metadata.read.imagePresets.listOf(of);

    it('are listed by name, and replaced for one account', async () => {
      expect(await listed()).toEqual([]);
      await replace([preset('wide', 1600), preset('thumb')]);
      await replace([preset('other')], otherId);
      expect(await listed()).toEqual([preset('thumb'), preset('wide', 1600)]);
      expect(await write((tx) => tx.imagePresets.listOf(accountId))).toEqual(await listed());
      await replace([preset('thumb', 16)]);
      expect(await listed()).toEqual([preset('thumb', 16)]);
      await replace([]);
      expect([await listed(), await listed(otherId)]).toEqual([[], [preset('other')]]);
    });
  });
}
