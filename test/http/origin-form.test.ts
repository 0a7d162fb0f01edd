import type { IncomingMessage, ServerResponse } from 'node:http';

import { describe, expect, it } from 'vitest';

import { inOriginForm } from '#server/http/origin-form.ts';
import { liveServer, rawExchange } from './live-server.ts';

describe('inOriginForm() passes on', () => {
  it.each([
    ['/a/b?c=d', '/a/b?c=d'],
    ['//a', '//a'],
    ['/http://example.com/a', '/http://example.com/a'],
    ['http://example.com/a/b?c=d', '/a/b?c=d'],
    ['HTTPS://example.com:8443/a', '/a'],
    ['http://example.com', '/'],
    ['http://example.com?a=b', '/?a=b'],
    ['http://[::1/a', '/a'],
    ['http://a:b/c', '/c'],
    ['*', '/*'],
    ['ftp://example.com/a', '/ftp://example.com/a'],
  ])('%s as %s', async (target, expected) => {
    const listener = (req: IncomingMessage, res: ServerResponse) =>
      void res.setHeader('Connection', 'close').end(req.url);
    await using server = await liveServer(inOriginForm(listener));
    const answer = await rawExchange(server.port, `OPTIONS ${target} HTTP/1.1\r\nHost: example.com\r\n\r\n`);
    expect(answer.slice(answer.indexOf('\r\n\r\n') + 4)).toBe(expected);
  });
});
