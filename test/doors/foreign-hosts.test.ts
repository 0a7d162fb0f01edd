import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { upload } from '#test/support/files.ts';
import { pairOf } from '#test/s3/gateway.ts';
import { sign, type Endpoint } from '#test/s3/signed-request.ts';
import { TestClock } from '#test/support/clock.ts';
import { startTestServer, type TestServer } from '#test/support/server.ts';
import { sayTo, type Door } from './raw-connection.ts';

const evil = 'evil.example';

/** Headers in which a proxy, or a client that imitates one, may name another host, port, path or method. */
const foreign: Readonly<Record<string, string>> = {
  'X-Forwarded-Host': evil,
  'X-Forwarded-Server': evil,
  'X-Forwarded-Proto': 'https',
  'X-Forwarded-Port': '6666',
  'X-Forwarded-Prefix': `/${evil}`,
  'X-Forwarded-Path': `/${evil}`,
  'X-Host': evil,
  'X-HTTP-Host-Override': evil,
  'X-Original-Host': evil,
  'X-Original-URL': `/${evil}`,
  'X-Rewrite-URL': `/${evil}`,
  'X-HTTP-Method-Override': 'DELETE',
  'X-Method-Override': 'DELETE',
  Forwarded: `for=1.2.3.4;host=${evil};proto=https`,
  Via: `1.1 ${evil}`,
  Referer: `http://${evil}/`,
};

let server: TestServer;
let pair: Endpoint;
const rows: Array<
  readonly [what: string, door: Door, method: string, target: () => string, body: () => string, type?: string]
> = [];
const paths: Record<string, string> = {};
let credential: string;

beforeAll(async () => {
  // A trusted proxy is believed only about the client's address. The clock shows the machine's time because S3 clients
  // sign with it.
  server = await startTestServer({ env: { CUBBY_TRUSTED_PROXIES: 'loopback' }, clock: new TestClock(Date.now()) });
  const account = await server.account();
  ({ credential } = account);
  pair = await pairOf(server, credential);
  const file = (await upload(server, account)).json().response;
  const secret = (await upload(server, account, { query: { name: 'secret', private: 'true' } })).json().response;
  paths.file = new URL(file.url).pathname;
  paths.secretId = secret.id;
  const share = async (more: object) =>
    (
      await server.send('/v1/shares', {
        method: 'POST',
        credential,
        body: JSON.stringify({ object: secret.id, expires_in: 3600, ...more }),
      })
    ).json().response;
  paths.landing = new URL((await share({ landing: true })).url).pathname;
  paths.password = new URL((await share({ password: 'correct horse' })).url).pathname;
  paths.publicShare = new URL(
    (
      await server.send('/v1/shares', {
        method: 'POST',
        credential,
        body: JSON.stringify({ object: file.id, expires_in: 3600 }),
      })
    ).json().response.url,
  ).pathname;
  paths.link = new URL(
    (await server.send(`/v1/objects/download?redirect=false&object=${secret.id}`, { credential })).json().response.url,
  ).pathname;
  paths.fileId = file.id;
});
afterAll(() => server.stop());

const none = () => '';
rows.push(
  ['a download link', 'api', 'GET', () => `/v1/objects/download?object=${paths.secretId}`, none],
  ['details with an address', 'api', 'GET', () => `/v1/objects/info?object=${paths.fileId}`, none],
  ['a list', 'api', 'GET', () => '/v1/objects', none],
  [
    'a new share',
    'api',
    'POST',
    () => '/v1/shares',
    () => JSON.stringify({ object: paths.secretId, expires_in: 3600 }),
  ],
  [
    'a device code',
    'api',
    'POST',
    () => '/v2/auth/device',
    () => JSON.stringify({ client_id: 'cli', scope: 'blob:read' }),
  ],
  ['S3 credentials', 'api', 'GET', () => '/v1/s3/credentials', none],
  ['the redirect to the documentation', 'api', 'GET', () => '/', none],
  ['the approval page', 'api', 'GET', () => '/activate', none],
  [
    'a form of the approval page',
    'api',
    'POST',
    () => '/activate',
    () => 'action=sign_in&form_token=x&api_key=x',
    'application/x-www-form-urlencoded',
  ],
  ['an unknown route', 'api', 'GET', () => '/nothing', none],
  ['a landing page', 'files', 'GET', () => paths.landing!, none],
  ['a password page', 'files', 'GET', () => paths.password!, none],
  [
    'a password',
    'files',
    'POST',
    () => paths.password!,
    () => 'password=correct+horse',
    'application/x-www-form-urlencoded',
  ],
  [
    'a wrong password',
    'files',
    'POST',
    () => paths.password!,
    () => 'password=wrong+horse',
    'application/x-www-form-urlencoded',
  ],
  ['the redirect to a public file', 'files', 'GET', () => paths.publicShare!, none],
  ['a link', 'files', 'GET', () => paths.link!, none],
  ['an unknown link', 'files', 'GET', () => '/s/unknown', none],
  ['a public file', 'public', 'GET', () => paths.file!, none],
  ['a public file under another spelling', 'public', 'GET', () => paths.file!.replace('photo', '%70hoto'), none],
  ['a missing file', 'public', 'GET', () => '/nothing', none],
  ['an unsigned request', 's3', 'GET', () => '/public/a', none],
);

type Row = (typeof rows)[number];

async function answerTo(
  [, door, method, target, body, type = 'application/json']: Row,
  {
    host = 'localhost',
    before = '',
    more = {},
  }: { readonly host?: string; readonly before?: string; readonly more?: Readonly<Record<string, string>> } = {},
): Promise<string> {
  const fields = {
    Host: host,
    Accept: 'text/html, */*',
    'Content-Type': type,
    'Content-Length': String(Buffer.byteLength(body())),
    ...(door === 'api' && { Authorization: credential }),
    ...more,
    Connection: 'close',
  };
  return sayTo(
    server,
    door,
    [
      `${method} ${before}${target()} HTTP/1.1`,
      ...Object.entries(fields).map(([name, value]) => `${name}: ${value}`),
      '',
      body(),
    ].join('\r\n'),
  );
}

/** Returns the part of a response that does not change between requests: the head without ids and times. */
function lasting(answer: string): string {
  const [head = ''] = answer.split('\r\n\r\n');
  const changing =
    /^(date|x-request-id|x-amz-request-id|set-cookie|ratelimit|etag|content-length|content-security-policy):/i;
  const kept = head.split('\r\n').filter((line) => !changing.test(line));
  return kept.join('\n').replace(/(?<=\/[ds]\/)[^?\s]+/g, '…');
}

describe.each(rows.map((row) => [row[0], row] as const))('%s', (_what, row) => {
  it('does not change and does not name a foreign host', async () => {
    const usual = await answerTo(row);
    for (const said of [
      { more: foreign },
      { host: evil },
      { host: `${evil}:6666`, more: foreign },
      { before: `http://${evil}` },
      { before: `http://${evil}:6666`, host: evil, more: foreign },
    ]) {
      const answer = await answerTo(row, said);
      expect(answer.toLowerCase()).not.toContain(evil);
      // With its separator, as the bare digits may occur in a request id.
      expect(answer).not.toMatch(/(:|%3A)6666/i);
      expect(lasting(answer)).toBe(lasting(usual));
    }
  });
});

describe('a signed S3 request', () => {
  it('is handled by its path and gets the gateway’s own address, whatever host the headers name', async () => {
    const wire = sign(pair, { method: 'POST', path: '/public/parts.txt', query: { uploads: '' } });
    const say = (more: Readonly<Record<string, string>>) =>
      sayTo(
        server,
        's3',
        [
          `${wire.method} ${wire.target} HTTP/1.1`,
          'Connection: close',
          ...[...wire.headers, ...Object.entries(more)].map(([name, value]) => `${name}: ${value}`),
          '',
          '',
        ].join('\r\n'),
      );
    for (const more of [{}, foreign]) {
      const answer = await say(more);
      expect(answer).toMatch(/^HTTP\/1\.1 200 /);
      expect(answer).toContain('<Key>parts.txt</Key>');
      expect(answer).not.toContain(evil);
    }
  });

  it('in absolute form gets a response without the host of its target', async () => {
    const wire = sign(pair, { path: '/public', query: { 'list-type': '2' } });
    const answer = await sayTo(
      server,
      's3',
      [
        `GET http://${evil}${wire.target} HTTP/1.1`,
        'Connection: close',
        ...wire.headers.map(([name, value]) => `${name}: ${value}`),
        '',
        '',
      ].join('\r\n'),
    );
    expect(answer).not.toContain(evil);
  });
});
