import { describe, expect, it } from 'vitest';

import { mayBeSameOrigin } from '#server/http/same-origin.ts';

const own = 'https://api.example.com';

describe('mayBeSameOrigin()', () => {
  it.each([
    [undefined, undefined, true],
    [own, undefined, true],
    ['null', undefined, true],
    [own, 'same-origin', true],
    ['null', 'same-origin', true],
    [undefined, 'same-origin', true],
    ['https://evil.example', undefined, false],
    ['https://evil.example', 'same-origin', false],
    ['http://api.example.com', undefined, false],
    [own, 'same-site', false],
    [own, 'cross-site', false],
    [undefined, 'cross-site', false],
    [undefined, 'none', false],
    ['null', 'cross-site', false],
  ])('for Origin %s and Sec-Fetch-Site %s is %s', (origin, fetchSite, answer) => {
    expect(mayBeSameOrigin({ origin, fetchSite }, own)).toBe(answer);
  });
});
