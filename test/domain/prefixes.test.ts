import { describe, expect, it } from 'vitest';

import { coversKey, coversPrefix, listFilter, overlapsPrefix } from '#server/domain/prefixes.ts';
import { prefixes } from '#test/support/parsed.ts';

const allowed = prefixes('photos', 'docs/2026');

describe('coversPrefix()', () => {
  it.each(['photos', 'photos/2025', 'photos/', 'docs/2026', 'docs/2026/a/b'])('covers %s', (prefix) => {
    expect(coversPrefix(allowed, prefix)).toBe(true);
  });

  it.each(['', '/', 'photo', 'photos2', 'photos-2025/x', 'docs', 'docs/2025', 'docs/20260', 'Photos', '/photos'])(
    'does not cover %j',
    (prefix) => {
      expect(coversPrefix(allowed, prefix)).toBe(false);
    },
  );

  it('covers nothing when nothing is allowed', () => {
    expect(coversPrefix([], 'photos')).toBe(false);
  });
});

describe('coversKey()', () => {
  it.each(['photos/a.png', 'photos/2025/a.png', 'docs/2026/x'])('covers %s', (key) => {
    expect(coversKey(allowed, key)).toBe(true);
  });

  it.each(['photos', 'photos.png', 'photos-2025/a.png', 'a/photos/b.png', 'docs/2025/x', ''])(
    'does not cover %j',
    (key) => {
      expect(coversKey(allowed, key)).toBe(false);
    },
  );
});

describe('overlapsPrefix()', () => {
  it.each(['photos/', 'photos/2025/', 'docs/', 'docs/2026/', 'docs/2026/a/b/'])('is true for %s', (prefix) => {
    expect(overlapsPrefix(allowed, prefix)).toBe(true);
  });

  it.each(['photos2/', 'photo/', 'docs/2025/', 'docs/20260/', 'a/photos/', 'Photos/'])('is false for %s', (prefix) => {
    expect(overlapsPrefix(allowed, prefix)).toBe(false);
  });
});

describe('listFilter()', () => {
  it.each([
    ['photos', 'photos/'],
    ['docs/2026', 'docs/2026/'],
    ['photos/', 'photos/'],
    ['photos/2025', 'photos/2025'],
    ['', ''],
  ])('of %j is %j', (filter, used) => {
    expect(listFilter(allowed, filter)).toBe(used);
  });

  it('is the filter itself for a key without prefixes', () => {
    expect(listFilter(null, 'photos')).toBe('photos');
  });
});
