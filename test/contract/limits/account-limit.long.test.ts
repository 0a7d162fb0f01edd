import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { rawSend } from '#test/contract/bad-input/raw-request.ts';
import { startTestServer, type TestServer } from '#test/support/server.ts';
import { asking, expectLetThrough, expectRefused, expectRetryAfter, isRateLimited, limitsOf, times } from './asking.ts';

let server: TestServer;
const { list, info, remove, upload } = asking(() => server);

beforeAll(async () => {
  server = await startTestServer({ rateLimits: true });
});
afterAll(() => server.stop());

describe('the limit of all requests of an account', () => {
  it.each([
    ['none', 5],
    ['hobby', 120],
    ['standard', 300],
    ['pro', 600],
    ['enterprise', 1200],
  ] as const)('of the %s plan allows %d a minute, then blocks for a minute', async (plan, limit) => {
    const account = await server.account(plan);
    const first = Math.min(limit - 1, 990);
    expectLetThrough(await times(first, () => remove(account)));
    server.clock.advance(10_000);
    expectLetThrough(await times(limit - first - 1, () => remove(account)));
    const last = await info(account);
    expect(limitsOf(last).account).toEqual({ quota: limit, windowSeconds: 60, remaining: 0, resetSeconds: 50 });
    server.clock.advance(49_999);
    await expectRetryAfter(server, 60, () => remove(account));
    expectLetThrough(await times(Math.min(limit, 120) - 1, () => remove(account)));
  });

  it('counts all routes together, and rejects all of them', async () => {
    const account = await server.account('none');
    expectLetThrough([
      await list(account),
      await info(account),
      await remove(account),
      await upload(account),
      await list(account),
    ]);
    for (const act of [list, info, remove, upload]) {
      const answer = await act(account);
      expectRefused(answer, 60);
      expect(limitsOf(answer).account).toEqual({ quota: 5, windowSeconds: 60, remaining: 0, resetSeconds: 60 });
    }
  });

  it('counts a batch of 100 files as one request', async () => {
    const account = await server.account('none');
    expectLetThrough(await times(5, () => remove(account, 100)));
    expectRefused(await remove(account), 60);
  });

  it('allows exactly 5 of 64 parallel requests without a plan', async () => {
    const account = await server.account('none');
    const answers = await Promise.all(Array.from({ length: 64 }, () => info(account)));
    expect(answers.filter(isRateLimited)).toHaveLength(59);
    for (const answer of answers.filter(isRateLimited)) expectRefused(answer, 60);
  });

  it('names the longer wait when a route is exceeded as well', async () => {
    const account = await server.account('none');
    await times(5, () => list(account));
    server.clock.advance(20_000);
    expectRefused(await list(account), 60);
  });

  it('does not affect other accounts', async () => {
    const [blocked, free] = [await server.account('none'), await server.account('none')];
    await times(6, () => info(blocked));
    expectRefused(await info(blocked), 60);
    expectLetThrough([await info(free)]);
  });

  it('is not used up by requests that a route has rejected', async () => {
    const account = await server.account('hobby');
    await upload(account);
    for (const answer of await times(200, () => upload(account))) expectRefused(answer, 1);
    expect(limitsOf(await info(account)).account!.remaining).toBe(118);
  });

  it('does not use up a route that it rejects itself', async () => {
    const account = await server.account('none');
    await times(3, () => list(account));
    await times(2, () => info(account));
    expect(limitsOf(await list(account)).list!.remaining).toBe(27);
    expect(limitsOf(await list(account)).list!.remaining).toBe(27);
  });
});

describe('a request that is rejected before the limits', () => {
  it('is counted by none of them', async () => {
    const account = await server.account('none');
    const readOnly = await server.key(account, { scopes: ['blob:read'] });
    const restricted = await server.key(account, { scopes: ['blob:read', 'blob:write'], prefixes: ['photos'] });
    const refusals = [
      { path: '/v1/nothing', credential: account.credential, code: 'NOT_FOUND' },
      { path: '/v1/objects', method: 'PUT', credential: account.credential, code: 'METHOD_NOT_ALLOWED' },
      { path: '/v1/objects', credential: `${account.credential}x`, code: 'ACCESS_DENIED' },
      { path: '/v1/objects?name=photo', method: 'POST', credential: readOnly, code: 'MISSING_SCOPE' },
      { path: '/v1/objects', method: 'DELETE', credential: readOnly, code: 'MISSING_SCOPE' },
      { path: '/v1/objects', credential: restricted, code: 'PREFIX_REQUIRED' },
      { path: '/v1/objects?prefix=music', credential: restricted, code: 'PREFIX_NOT_ALLOWED' },
      {
        path: `/v1/objects/info?object=pub/${account.id}/music/a.png`,
        credential: restricted,
        code: 'PREFIX_NOT_ALLOWED',
      },
      { path: '/v1/objects?name=photo', method: 'POST', credential: restricted, code: 'PREFIX_NOT_ALLOWED' },
    ];
    for (const { code, ...request } of refusals) {
      for (let round = 0; round < 3; round++) expect((await rawSend(server, request)).json().code).toBe(code);
    }
    expect(limitsOf(await info(account)).account!.remaining).toBe(4);
  });
});

describe('a request that is rejected after the limits', () => {
  it('is counted by all of them', async () => {
    const account = await server.account('standard');
    const { credential } = account;
    const requests = [
      { path: '/v1/objects?limit=0', code: 'INVALID_LIMIT' },
      { path: '/v1/objects?cursor=x', code: 'INVALID_CONTINUATION_TOKEN' },
      { path: '/v1/objects/info', code: 'INVALID_OBJECT' },
      { path: `/v1/objects/info?object=pub/${account.id}/none.png`, code: 'OBJECT_NOT_FOUND' },
      { path: '/v1/objects', method: 'DELETE', body: '[]', code: 'INVALID_BODY' },
      { path: '/v1/objects', method: 'DELETE', body: ' '.repeat(1_048_577), code: 'BODY_TOO_LARGE' },
      { path: '/v1/objects?name=..', method: 'POST', code: 'INVALID_OBJECT_NAME' },
    ];
    let remaining = 300;
    for (const { code, ...request } of requests) {
      const answer = await rawSend(server, { ...request, credential });
      expect(answer.json().code).toBe(code);
      expect(limitsOf(answer).account!.remaining).toBe(--remaining);
    }
    expectRefused(await upload(account), 1);
    expect(limitsOf(await list(account)).list!.remaining).toBe(27);
    expect(limitsOf(await remove(account)).delete!.remaining).toBe(997);
  });

  it('is counted if the plan rejects it', async () => {
    const account = await server.account('none');
    for (let round = 0; round < 5; round++) {
      expect((await upload(account)).json().code).toBe('PERMISSION_DENIED');
      server.clock.advance(1000);
    }
    expectRefused(await upload(account), 60);
  });
});
