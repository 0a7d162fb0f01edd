import { describe, expect, it } from 'vitest';

import { formatPreset, isPreset, parsePreset } from '#server/features/images/preset.ts';
import { formatVariant, parseVariant } from '#server/features/images/variant.ts';

describe('parseVariant()', () => {
  it('fills in what is not said', () => {
    expect(formatVariant(parseVariant({ w: '20' }))).toBe('w=20&fit=contain&f=auto');
    expect(formatVariant(parseVariant({ f: 'webp', q: '7', fit: 'cover', h: '4096', w: '1' }))).toBe(
      'w=1&h=4096&fit=cover&q=7&f=webp',
    );
  });

  it.each([
    {},
    { f: 'webp' },
    { w: '0' },
    { w: '4097' },
    { w: '-1' },
    { w: '1.5' },
    { w: '1e2' },
    { w: '' },
    { w: ' 1' },
    { w: '01' },
    { h: '4097' },
    { w: '1', q: '0' },
    { w: '1', q: '101' },
    { w: '1', fit: 'fill' },
    { w: '1', fit: '' },
    { w: '1', f: 'gif' },
    { w: '1', f: '__proto__' },
  ])('refuses %j', (fields) => {
    expect(() => parseVariant(fields)).toThrow('INVALID_IMAGE_VARIANT');
  });
});

describe('parsePreset()', () => {
  it('reads what formatPreset() writes', () => {
    const preset = parsePreset('thumb:h=100&w=200&fit=cover')!;
    expect(formatPreset(preset)).toBe('thumb:w=200&h=100&fit=cover&f=auto');
    expect(parsePreset(formatPreset(preset))).toEqual(preset);
  });

  it.each([
    '',
    'thumb',
    'thumb:',
    ':w=1',
    'Thumb:w=1',
    'a:w=1&w=2',
    'a:w=1&x=2',
    'a:w',
    'a:w=1=2',
    `${'a'.repeat(33)}:w=1`,
  ])('refuses %j', (text) => expect(parsePreset(text)).toBeUndefined());

  it('knows a variant as a preset in whatever way it is said', () => {
    const presets = new Map([parsePreset('thumb:w=200')!]);
    expect(isPreset(presets, parseVariant({ f: 'auto', fit: 'contain', w: '200' }))).toBe(true);
    expect(isPreset(presets, parseVariant({ w: '200', q: '80' }))).toBe(false);
    expect(isPreset(new Map(), parseVariant({ w: '200' }))).toBe(false);
  });
});
