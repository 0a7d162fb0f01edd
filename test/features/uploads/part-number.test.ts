import { expect, it } from 'vitest';

import { parsePartNumber } from '#server/features/uploads/part-number.ts';

it.each<[string | number, number | undefined]>([
  [1, 1],
  [2048, 2048],
  ['1', 1],
  ['02048', 2048],
  [0, undefined],
  [2049, undefined],
  [-1, undefined],
  [1.5, undefined],
  [NaN, undefined],
  ['', undefined],
  [' 1', undefined],
  ['1e3', undefined],
  ['100000', undefined],
])('parsePartNumber() of %j, of at most 2048, is %j', (given, number) => {
  expect(parsePartNumber(given, 2048)).toBe(number);
});
