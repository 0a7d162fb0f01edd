import { describe, expect, it } from 'vitest';

import { readPrefix } from '#server/domain/file-options.ts';

describe('readPrefix()', () => {
  it.each([
    ['photos', 'photos'],
    ['photos/2026/', 'photos/2026'],
    ['', undefined],
    [undefined, undefined],
  ])('of %j is %j', (given, prefix) => {
    expect(readPrefix(given)).toBe(prefix);
  });

  it.each(['/', '/photos', 'photos//', 'a/../b', '.a', 'a b'])('throws INVALID_OBJECT_PREFIX for %j', (given) => {
    expect(() => readPrefix(given)).toThrow('INVALID_OBJECT_PREFIX');
  });
});
