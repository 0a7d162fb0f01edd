import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { someBytes, upload } from '#test/support/files.ts';
import { startTestServer, type TestServer } from '#test/support/server.ts';
import { connectTo, parseAnswer, type Door } from './raw-connection.ts';

let server: TestServer;
let credential: string;
const targets: Record<string, string> = {};

beforeAll(async () => {
  server = await startTestServer();
  const account = await server.account();
  credential = account.credential;
  const stored = async (query: Record<string, string>) =>
    (await upload(server, account, { bytes: someBytes(2_000_000), query })).json().response;
  targets.file = new URL((await stored({})).url).pathname;
  const secret = await stored({ name: 'secret', private: 'true' });
  const link = await server.send(`/v1/objects/download?redirect=false&object=${secret.id}`, { credential });
  const share = await server.send('/v1/shares', {
    method: 'POST',
    credential,
    body: JSON.stringify({ object: secret.id, expires_in: 3600, max_downloads: 10, password: 'correct horse' }),
  });
  targets.link = new URL(link.json().response.url).pathname;
  targets.share = new URL(share.json().response.url).pathname;
});
afterAll(() => server.stop());

const json = (method: string, target: string, body: object, authorization = credential) =>
  `${method} ${target} HTTP/1.1\r\nHost: a\r\nAuthorization: ${authorization}\r\nContent-Length: ` +
  `${JSON.stringify(body).length}\r\n\r\n${JSON.stringify(body)}`;
const get = (target: string) => `GET ${target} HTTP/1.1\r\nHost: a\r\nAuthorization: ${credential}\r\n\r\n`;
const form = (body: string) =>
  `POST /v1/objects?name=sent HTTP/1.1\r\nHost: a\r\nAuthorization: ${credential}\r\nContent-Type: ` +
  `multipart/form-data; boundary=b\r\nContent-Length: ${body.length}\r\n\r\n${body}`;

const rows: ReadonlyArray<readonly [what: string, door: Door, bytes: () => string, status: number, has: RegExp]> = [
  ['a list', 'api', () => get('/v1/objects'), 200, /"status":"success"/],
  ['a refusal', 'api', () => get('/v1/objects?limit=0'), 400, /INVALID_LIMIT/],
  [
    'an upload',
    'api',
    () =>
      form(
        `--b\r\nContent-Disposition: form-data; name="file"; ` +
          `filename="a.txt"\r\n\r\n${'x'.repeat(20_000)}\r\n--b--\r\n`,
      ),
    200,
    /"size":20000/,
  ],
  ['a change', 'api', () => json('PATCH', '/v1/objects', { object: 'pub/none', private: true }), 400, /INVALID_OBJECT/],
  [
    'a chat',
    'api',
    () => json('POST', '/v2/ai/chat/completions', { model: 'cubic', messages: [{ role: 'user', content: 'hello' }] }),
    200,
    /chat\.completion/,
  ],
  ['a push', 'api', () => json('POST', '/v2/git/webhook/unknown', {}), 404, /Nothing was deployed/],
  ['a link', 'files', () => get(targets.link!), 200, /[^]{2000000}$/],
  ['a share that asks for its password', 'files', () => get(targets.share!), 401, /SHARE_PASSWORD/],
  ['a public file', 'public', () => get(targets.file!), 200, /[^]{2000000}$/],
  ['a missing file', 'public', () => get('/nothing'), 404, /./],
  ['a refusal of the gateway', 's3', () => get('/public/a'), 400, /<Code>AuthorizationHeaderMalformed/],
];

describe('a client that closes its side after its request', () => {
  it.each(rows)('gets %s at the %s door', async (_what, door, bytes, status, has) => {
    const client = await connectTo(server, door);
    client.socket.end(bytes());
    const answer = parseAnswer((await client.closed()).replace(/^(HTTP\/1\.1 102 Processing\r\n\r\n)+/, ''));
    expect(answer.status).toBe(status);
    expect(has.test(answer.body)).toBe(true);
    const length = answer.headers.get('content-length');
    if (length !== undefined) expect(answer.body).toHaveLength(Number(length));
  });

  const upgrade = 'Connection: upgrade\r\nUpgrade: websocket';
  const bodies = [
    ['a length', 'Content-Length: 900', '--b\r\n'],
    ['chunks', 'Transfer-Encoding: chunked', '5\r\n--b\r\n\r\n'],
  ] as const;
  const cut: ReadonlyArray<readonly [what: string, door: Door, line: () => string]> = [
    ['an upload', 'api', () => 'POST /v1/objects?name=a HTTP/1.1\r\nContent-Type: multipart/form-data; boundary=b'],
    ['a change', 'api', () => 'PATCH /v1/objects HTTP/1.1'],
    ['a push', 'api', () => 'POST /v2/git/webhook/unknown HTTP/1.1'],
    ['a form', 'files', () => `POST ${targets.share} HTTP/1.1\r\nContent-Type: application/x-www-form-urlencoded`],
    ['a refused method', 'public', () => `POST ${targets.file} HTTP/1.1`],
    ['a file', 's3', () => 'PUT /public/a HTTP/1.1'],
  ];

  it.each(cut.flatMap((row) => bodies.map((body) => [...row, ...body] as const)))(
    'gets an answer to %s at the %s door with Upgrade and half a body',
    async (_what, door, line, _framing, framing, body) => {
      const client = await connectTo(server, door);
      client.socket.end([line(), 'Host: a', `Authorization: ${credential}`, upgrade, framing, '', body].join('\r\n'));
      const answer = parseAnswer((await client.closed()).replace(/^(HTTP\/1\.1 102 Processing\r\n\r\n)+/, ''));
      expect(answer.status).toBeGreaterThanOrEqual(400);
      expect(answer.status).toBeLessThan(500);
    },
  );

  it.each(rows)('gets %s at the %s door, also with Upgrade', async (_what, door, bytes, status, has) => {
    const client = await connectTo(server, door);
    client.socket.end(bytes().replace('\r\n', `\r\n${upgrade}\r\n`));
    const answer = parseAnswer((await client.closed()).replace(/^(HTTP\/1\.1 102 Processing\r\n\r\n)+/, ''));
    expect([answer.status, has.test(answer.body)]).toEqual([status, true]);
  });
});
