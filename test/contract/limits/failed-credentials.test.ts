import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { rawSend } from '#test/contract/bad-input/raw-request.ts';
import { startTestServer, type TestAccount, type TestAnswer, type TestServer } from '#test/support/server.ts';
import { asking, expectRefused } from './asking.ts';

let server: TestServer;
let account: TestAccount;
const { info } = asking(() => server);

beforeAll(async () => {
  server = await startTestServer({ rateLimits: true, env: { CUBBY_TRUSTED_PROXIES: 'loopback' } });
  account = await server.account();
});
afterAll(() => server.stop());

let addresses = 0;
/** An address that no other test of this file uses. */
const newAddress = () => `203.0.113.${++addresses}`;

const valid = (from: string) => info({ ...account, from });
const wrong = (from: string, credential = 'wrong') => info({ id: account.id, credential, from });

async function fail(count: number, from: string): Promise<void> {
  for (let round = 0; round < count; round++) expectDenied(await wrong(from));
}

function expectDenied(answer: TestAnswer): void {
  expect(answer.status).toBe(401);
  expect(answer.json().code).toBe('ACCESS_DENIED');
}

async function block(from: string): Promise<void> {
  await fail(30, from);
  expectRefused(await wrong(from), 300);
}

describe('more than 30 failed credentials in a minute from one address', () => {
  it('block it for 5 minutes, also for valid keys', async () => {
    const from = newAddress();
    await fail(30, from);
    expect((await valid(from)).status, 'not yet').toBe(404);
    expectRefused(await wrong(from), 300);
    expectRefused(await valid(from), 300);
    server.clock.advance(100_000);
    expectRefused(await valid(from), 200);
    server.clock.advance(199_999);
    expectRefused(await valid(from), 1);
    server.clock.advance(1);
    expect((await valid(from)).status).toBe(404);
    expectDenied(await wrong(from));
  });

  it('are reset after a minute', async () => {
    const from = newAddress();
    await fail(30, from);
    server.clock.advance(59_999);
    expectRefused(await wrong(from), 300);

    const other = newAddress();
    await fail(30, other);
    server.clock.advance(60_000);
    await fail(30, other);
    expectRefused(await wrong(other), 300);
  });

  it('do not make the block longer while it lasts', async () => {
    const from = newAddress();
    await block(from);
    server.clock.advance(200_000);
    for (let round = 0; round < 40; round++) expectRefused(await wrong(from), 100);
    server.clock.advance(100_000);
    expect((await valid(from)).status).toBe(404);
  });

  it('are counted for any error of the credential', async () => {
    const from = newAddress();
    const revoked = await server.key(account, { scopes: ['*'], lifetimeMs: 1 });
    server.clock.advance(1);
    const last = account.credential.at(-1) === 'a' ? 'b' : 'a';
    const wrongs = [
      'Bearer',
      'Basic dXNlcjpwYXNz',
      'cbk_',
      revoked,
      `${account.credential}x`,
      account.credential.slice(0, -1),
      account.credential.slice(0, -1) + last,
      account.credential.toLowerCase(),
      `cbk_${'0'.repeat(46)}`,
      `cbup_${'0'.repeat(46)}`,
      `${account.credential}, ${account.credential}`,
      `"${account.credential}"`,
      'x'.repeat(5000),
      Buffer.from('ｃｂｋ＿').toString('latin1'),
      '%00',
    ];
    for (const credential of [...wrongs, ...wrongs]) expectDenied(await wrong(from, credential));
    expectRefused(await wrong(from, wrongs[0]), 300);
  });

  it('are counted if there is no credential', async () => {
    const from = newAddress();
    const none = () => rawSend(server, { path: '/v1/objects', headers: { 'X-Forwarded-For': from } });
    for (let round = 0; round < 30; round++) expectDenied(await none());
    expectRefused(await none(), 300);
  });

  it('are counted over all routes together', async () => {
    const from = newAddress();
    const routes = [
      ['POST', '/v1/objects?name=a'],
      ['GET', '/v1/objects'],
      ['DELETE', '/v1/objects'],
      ['GET', '/v1/objects/info'],
      ['GET', '/v1/account/stats'],
      ['POST', '/v1/shares'],
    ] as const;
    const send = ([method, path]: (typeof routes)[number], credential: string) =>
      rawSend(server, { method, path, credential, headers: { 'X-Forwarded-For': from } });
    for (let round = 0; round < 5; round++) for (const route of routes) expectDenied(await send(route, 'wrong'));
    expectRefused(await send(routes[0], 'wrong'), 300);
    for (const route of routes) expectRefused(await send(route, account.credential), 300);
  });

  it('deny exactly 30 of 64 parallel ones, and block the others', async () => {
    const from = newAddress();
    const answers = await Promise.all(Array.from({ length: 64 }, () => wrong(from)));
    expect(answers.filter(({ status }) => status === 401)).toHaveLength(30);
    for (const answer of answers.filter(({ status }) => status !== 401)) expectRefused(answer, 300);
  });

  it('do not affect other addresses', async () => {
    await block(newAddress());
    expect((await valid(newAddress())).status).toBe(404);
  });

  it('leave the public host open', async () => {
    const from = newAddress();
    await block(from);
    const answer = await rawSend(server, {
      door: 'public',
      path: `/${account.id}/none.png`,
      headers: { 'X-Forwarded-For': from },
    });
    expect(answer.status).toBe(404);
  });

  it('do not include keys without the scope', async () => {
    const from = newAddress();
    const credential = await server.key(account, { scopes: ['apps:read'] });
    for (let round = 0; round < 40; round++) expect((await wrong(from, credential)).json().code).toBe('MISSING_SCOPE');
    expect((await valid(from)).status).toBe(404);
    server.clock.advance(60_000);
  });
});

describe('one address', () => {
  it('is a whole /64 of IPv6, and not the next one', async () => {
    for (let host = 1; host <= 30; host++) expectDenied(await wrong(`2001:db8:1:2::${host.toString(16)}`));
    expectRefused(await wrong('2001:db8:1:2:ffff:ffff:ffff:ffff'), 300);
    for (const spelled of ['2001:0DB8:0001:0002::1', '[2001:db8:1:2::7]:4711', '2001:db8:1:2:0:0:192.0.2.1'])
      expectRefused(await valid(spelled), 300);
    for (const beside of ['2001:db8:1:3::1', '2001:db8:1:1:ffff:ffff:ffff:ffff', '2001:db8:1::2:0:0:0:1'])
      expect((await valid(beside)).status).toBe(404);
  });

  it('is the same in IPv4 and mapped into IPv6, with or without a port', async () => {
    const from = newAddress();
    await block(from);
    for (const spelled of [`::ffff:${from}`, `${from}:4711`, `[::ffff:${from}]:4711`])
      expectRefused(await valid(spelled), 300);
  });

  it('is the nearest one that is not a trusted proxy: the client can forge everything before it', async () => {
    const from = newAddress();
    for (let round = 0; round < 30; round++) expectDenied(await wrong(`198.51.100.${round}, ${from}`));
    expectRefused(await wrong(`198.51.100.30, ${from}`), 300);
    expectRefused(await valid(`198.51.100.77, ${from}, 127.0.0.1`), 300);
    expect((await valid('198.51.100.1')).status).toBe(404);
  });
});

describe('without trusted proxies', () => {
  it('X-Forwarded-For is ignored, so nobody escapes a block by it', async () => {
    const plain = await startTestServer({ rateLimits: true });
    const { id, credential } = await plain.account();
    const ask = asking(() => plain);
    for (let round = 0; round < 30; round++)
      expectDenied(await ask.info({ id, credential: 'wrong', from: `198.51.100.${round}` }));
    expectRefused(await ask.info({ id, credential: 'wrong', from: '198.51.100.99' }), 300);
    expectRefused(await ask.info({ id, credential }), 300);
  });
});
