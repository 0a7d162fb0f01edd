import { LRUCache } from 'lru-cache';
import { expect, it } from 'vitest';

import { atMost } from '#server/domain/at-most.ts';

it('a cache with atMost() keeps exactly so many entries, the last used ones', () => {
  const cache = new LRUCache<number, string>(atMost(3));
  for (const key of [1, 2, 3, 1, 4]) cache.set(key, `value ${key}`);
  expect([...cache.keys()].sort()).toEqual([1, 3, 4]);
  expect(cache.get(2)).toBeUndefined();
});
