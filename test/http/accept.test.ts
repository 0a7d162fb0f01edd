import { expect, it } from 'vitest';

import { asksForHtml } from '#server/http/accept.ts';

it.each([
  ['a browser', 'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8', true],
  ['an older browser', 'application/xhtml+xml, */*;q=0.1', true],
  ['one that likes HTML as well as anything', 'text/html, */*', true],
  ['capitals', 'TEXT/HTML', true],
  ['curl', '*/*', false],
  ['a program', 'application/json', false],
  ['one that sends nothing', undefined, false],
  ['an empty one', '', false],
  ['one that wants no HTML', 'text/html;q=0, */*', false],
  ['one that prefers anything', 'text/html;q=0.1, */*;q=0.9', false],
  ['an image', 'image/avif,image/webp,*/*;q=0.8', false],
  ['a weight that is none', 'text/html;q=many', true],
])('asksForHtml() for %s', (_, accept, answer) => expect(asksForHtml(accept)).toBe(answer));
