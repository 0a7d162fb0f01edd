import { expect, it } from 'vitest';

import { asksForHtml } from '#server/http/accept.ts';

it.each([
  ['a browser', 'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8', true],
  ['an older browser', 'application/xhtml+xml, */*;q=0.1', true],
  ['a client with equal weights for HTML and anything', 'text/html, */*', true],
  ['a header in capitals', 'TEXT/HTML', true],
  ['curl', '*/*', false],
  ['a program', 'application/json', false],
  ['a client that sends no header', undefined, false],
  ['an empty header', '', false],
  ['a client that rejects HTML', 'text/html;q=0, */*', false],
  ['a client that prefers anything else', 'text/html;q=0.1, */*;q=0.9', false],
  ['an image request', 'image/avif,image/webp,*/*;q=0.8', false],
  ['a malformed weight', 'text/html;q=many', true],
])('asksForHtml() for %s', (_, accept, answer) => expect(asksForHtml(accept)).toBe(answer));
