import { describe, expect, it } from 'vitest';

import { parseCookies } from '#server/http/cookies.ts';

describe('parseCookies()', () => {
  it.each([
    [undefined, []],
    ['', []],
    ['a=1', [['a', '1']]],
    [
      'a=1; b=2;c=3',
      [
        ['a', '1'],
        ['b', '2'],
        ['c', '3'],
      ],
    ],
    ['a=1; a=2', [['a', '1']]],
    [
      'a; =x; b=',
      [
        ['', 'x'],
        ['b', ''],
      ],
    ],
    ['a=b=c', [['a', 'b=c']]],
    ['__proto__=x', [['__proto__', 'x']]],
  ] as const)('reads %j', (header, cookies) => {
    expect([...parseCookies(header)]).toEqual(cookies);
  });
});
