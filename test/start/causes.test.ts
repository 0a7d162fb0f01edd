import { expect, it } from 'vitest';

import { withCauses } from '#server/causes.ts';

it.each<[Error, string]>([
  [new Error('It failed.'), 'It failed.'],
  [new Error('It failed.', { cause: new Error('no disk') }), 'It failed. (no disk)'],
  [new Error('It failed: no disk. Look.', { cause: new Error('no disk.') }), 'It failed: no disk. Look.'],
  [new Error('a', { cause: new Error('b', { cause: 'c' }) }), 'a (b (c))'],
])('withCauses() adds what the message does not say itself', (error, words) => {
  expect(withCauses(error)).toBe(words);
});
