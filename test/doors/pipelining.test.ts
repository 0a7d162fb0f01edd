import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { someBytes, upload } from '#test/support/files.ts';
import { startTestServer, type TestServer } from '#test/support/server.ts';
import { connectTo, statusesIn, type Door } from './raw-connection.ts';

const many = process.env.CUBBY_TEST_LONG === '1' ? 2_000 : 150;

let server: TestServer;
const targets: Record<string, string> = {};
const warnings: Error[] = [];
const note = (warning: Error) => void warnings.push(warning);

beforeAll(async () => {
  process.on('warning', note);
  server = await startTestServer();
  const account = await server.account();
  const send = async (path: string, body?: object) =>
    (
      await server.send(path, {
        credential: account.credential,
        ...(body && { method: 'POST', body: JSON.stringify(body) }),
      })
    ).json().response;
  const stored = async (query: Record<string, string>, size: number) =>
    (await upload(server, account, { bytes: someBytes(size), query })).json().response;
  const pathOf = (url: string) => new URL(url).pathname;
  targets.small = pathOf((await stored({ name: 'small' }, 600)).url);
  targets.large = pathOf((await stored({ name: 'large' }, 60_000)).url);
  const secret = await stored({ name: 'secret', private: 'true' }, 60_000);
  targets.link = pathOf((await send(`/v1/objects/download?redirect=false&object=${secret.id}`)).url);
  targets.share = pathOf(
    (await send('/v1/shares', { object: secret.id, expires_in: 3600, max_downloads: 10_000 })).url,
  );
  targets.key = account.credential;
});
afterAll(async () => {
  await server.stop();
  process.off('warning', note);
});

const head = (method: string, target: string, ...fields: string[]) =>
  [`${method} ${target} HTTP/1.1`, 'Host: a', ...fields, '', ''].join('\r\n');
const refused = (target: string) => `${head('POST', target, 'Content-Length: 3')}abc`;
const authorized = () => `Authorization: ${targets.key}`;

/**
 * The request that is sent `many` times at once, and the status of each response. A request that closes the connection
 * gets one response in all.
 */
const rows: ReadonlyArray<
  readonly [what: string, door: Door, bytes: () => string, status: number, answers: 'all' | 'one']
> = [
  ['small files', 'public', () => head('GET', targets.small!), 200, 'all'],
  ['files in blobs', 'public', () => head('GET', targets.large!), 200, 'all'],
  ['missing files', 'public', () => head('GET', '/nothing'), 404, 'all'],
  ['redirects', 'public', () => head('GET', targets.small!.replace('small', '%73mall')), 301, 'all'],
  ['unexpected bodies', 'public', () => refused('/x'), 405, 'one'],
  ['link downloads', 'files', () => head('GET', targets.link!), 200, 'all'],
  ['share downloads', 'files', () => head('GET', targets.share!, 'Range: bytes=0-9'), 206, 'all'],
  ['unknown links', 'files', () => head('GET', '/s/unknown'), 404, 'all'],
  ['unexpected forms', 'files', () => refused('/d/x'), 405, 'one'],
  ['lists', 'api', () => head('GET', '/v1/objects', authorized()), 200, 'all'],
  ['requests without a credential', 'api', () => head('GET', '/v1/objects'), 401, 'all'],
  ['bodies without a credential', 'api', () => refused('/v1/shares'), 401, 'one'],
  ['bodies', 'api', () => `${head('POST', '/v1/shares', authorized(), 'Content-Length: 2')}{}`, 400, 'all'],
  ['pages', 'api', () => head('GET', '/activate'), 200, 'all'],
  ['metrics', 'operator', () => head('GET', '/metrics').replace('Host: a', 'Host: localhost'), 200, 'all'],
  ['unsigned requests', 's3', () => head('GET', '/public/a'), 403, 'all'],
  ['unsigned bodies', 's3', () => refused('/public/a'), 403, 'one'],
];

describe(`${many} pipelined requests`, () => {
  it.each(rows)(
    'get their responses in turn, without a warning: %s at the %s door',
    async (_what, door, bytes, status, answers) => {
      const client = await connectTo(server, door);
      client.socket.write(`${bytes().repeat(many - 1)}${bytes().replace('Host: ', 'Connection: close\r\nHost: ')}`);
      const statuses = statusesIn(await client.closed());
      expect(new Set(statuses)).toEqual(new Set([status]));
      expect(statuses).toHaveLength(answers === 'one' ? 1 : many);
      expect(warnings.map(({ stack }) => stack)).toEqual([]);
      expect(server.log.filter(({ message }) => message === 'fault')).toEqual([]);
    },
  );
});
