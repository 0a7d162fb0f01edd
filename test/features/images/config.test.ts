import { describe, expect, it } from 'vitest';

import { imagesConfig } from '#server/features/images/config.ts';
import { Reader } from '#server/config/values.ts';

describe('imagesConfig()', () => {
  it('says what to install if the package is missing, and asks for none while variants are off', () => {
    const on = new Reader({ CUBBY_IMAGE_VARIANTS: 'on' });
    imagesConfig(on, () => false);
    expect(on.problems).toEqual([expect.stringContaining('run "npm install --no-save sharp@0.35"')]);
    const off = new Reader({ CUBBY_IMAGE_VARIANTS: 'off' });
    imagesConfig(off, () => false);
    expect(off.problems).toEqual([]);
  });

  it('finds the package where it is installed', () => {
    const reader = new Reader({ CUBBY_IMAGE_VARIANTS: 'on', CUBBY_IMAGE_PRESETS: 'thumb:h=20&w=10' });
    imagesConfig(reader);
    expect(Object.fromEntries(reader.shown)).toEqual({
      CUBBY_IMAGE_VARIANTS: 'on',
      CUBBY_IMAGE_CACHE_BYTES: '1073741824',
      CUBBY_IMAGE_PRESETS: 'thumb:w=10&h=20&fit=contain&f=auto',
    });
    expect(reader.problems).toEqual([]);
  });
});
