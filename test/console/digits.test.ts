import { expect, it } from 'vitest';

import { digitsOf } from '#console/ui/digits.ts';

it.each([
  ['120', '120'],
  [' 1,234 ', '1234'],
  ['1.234', '1234'],
  ['1\u00a0234', '1234'],
  ['\u0661\u066c\u0662\u0663\u0664', '1234'],
  ['\u06f0\u06f9', '09'],
  ['\u096f', '9'],
  ['none', ''],
])('digitsOf() reads %s as %s', (text, digits) => {
  expect(digitsOf(text)).toBe(digits);
});
