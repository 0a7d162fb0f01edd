import { expect, it } from 'vitest';

import type { ApiKey } from '#server/domain/access/api-key.ts';
import { placesFor, placesOfOwner } from '#server/domain/access/places.ts';

const keysOf = (...keys: readonly (readonly [id: string, scope: string])[]) => ({
  now: 0,
  apiKeys: { liveOf: async () => keys.map(([id, scope]) => ({ id, scopes: [scope] }) as unknown as ApiKey) },
});

it('placesOfOwner() is a tenth, and at least one', () => {
  expect([1, 9, 10, 19, 20, 100].map(placesOfOwner)).toEqual([1, 1, 1, 1, 2, 10]);
});

it('placesFor() keeps the places of the owner from all keys but those with full access', async () => {
  const keys = keysOf(['first', '*'], ['second', '*'], ['reader', 'blob:read']);
  expect(await placesFor(keys, 'a', 'first', 20)).toBe(20);
  expect(await placesFor(keys, 'a', 'second', 20)).toBe(20);
  expect(await placesFor(keys, 'a', 'reader', 20)).toBe(18);
  expect(await placesFor(keys, 'a', undefined, 20)).toBe(18);
  expect(await placesFor(keysOf(['reader', 'blob:read']), 'a', 'reader', 20)).toBe(20);
});
