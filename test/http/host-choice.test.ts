import type { RequestListener } from 'node:http';

import { describe, expect, it } from 'vitest';

import { hostChoice } from '#server/http/host-choice.ts';

import { liveServer, rawExchange } from './live-server.ts';

const says =
  (text: string): RequestListener =>
  (_req, res) =>
    void res.setHeader('Connection', 'close').end(`<${text}>`);

const choice = hostChoice(
  new Map([
    ['api.example.com', says('api')],
    ['Files.Example.com:8443', says('files 8443')],
    ['files.example.com', says('files')],
    ['[::1]', says('six')],
  ]),
  says('fallback'),
);

async function ask(host: string, target = '/'): Promise<string | undefined> {
  await using server = await liveServer(choice);
  const answer = await rawExchange(server.port, `GET ${target} HTTP/1.1\r\nHost: ${host}\r\n\r\n`);
  return /<(.*)>/.exec(answer)?.[1];
}

describe('hostChoice()', () => {
  it.each([
    ['api.example.com', 'api', 'the host'],
    ['API.Example.COM', 'api', 'the host in capitals'],
    ['api.example.com:8080', 'api', 'the host with a port'],
    ['api.example.com.', 'api', 'the host with the dot of the root'],
    ['api.example.com.:80', 'api', 'the host with dot and port'],
    ['files.example.com:8443', 'files 8443', 'a listed port'],
    ['files.example.com:9000', 'files', 'another port'],
    ['[::1]:8080', 'six', 'an IPv6 address'],
    ['example.com', 'fallback', 'a parent domain'],
    ['x.api.example.com', 'fallback', 'a subdomain'],
    ['api.example.com.evil.test', 'fallback', 'a host with the same start'],
    ['', 'fallback', 'no host'],
    ['__proto__', 'fallback', 'a property name of every object'],
  ])('%j → %s: %s', async (host, expected) => {
    expect(await ask(host)).toBe(expected);
  });

  it('prefers the host of an absolute request target to that of the header', async () => {
    expect(await ask('api.example.com', 'http://files.example.com/x')).toBe('files');
  });

  it('responds to HTTP/1.0 without a Host', async () => {
    await using server = await liveServer(choice);
    expect(await rawExchange(server.port, 'GET / HTTP/1.0\r\n\r\n')).toContain('<fallback>');
  });
});
