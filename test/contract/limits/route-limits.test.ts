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

describe('uploadObject()', () => {
  it.each(['hobby', 'standard'] as const)(
    'takes one upload a second from an account with the %s plan',
    async (plan) => {
      const account = await server.account(plan);
      expect((await upload(account)).status).toBe(200);
      await expectRetryAfter(server, 1, () => upload(account));
      expectRefused(await upload(account), 1);
    },
  );

  it.each(['pro', 'enterprise'] as const)(
    'takes any number of uploads a second from an account with the %s plan',
    async (plan) => {
      const account = await server.account(plan);
      for (let round = 0; round < 20; round++) expect((await upload(account, `name=n${round}`)).status).toBe(200);
      expect(Object.keys(limitsOf(await upload(account)))).toEqual(['account']);
    },
  );

  it('announces the rest in its headers, on success, on rejection and on errors', async () => {
    const account = await server.account('hobby');
    expect(limitsOf(await upload(account))).toEqual({
      upload: { quota: 1, windowSeconds: 1, remaining: 0, resetSeconds: 1 },
      account: { quota: 120, windowSeconds: 60, remaining: 119, resetSeconds: 60 },
    });
    expect(limitsOf(await upload(account)), 'a refused request takes nothing').toEqual({
      upload: { quota: 1, windowSeconds: 1, remaining: 0, resetSeconds: 1 },
      account: { quota: 120, windowSeconds: 60, remaining: 119, resetSeconds: 60 },
    });
    server.clock.advance(1000);
    const wrong = await upload(account, 'name=..');
    expect(wrong.json().code).toBe('INVALID_OBJECT_NAME');
    expect(limitsOf(wrong).account).toEqual({ quota: 120, windowSeconds: 60, remaining: 118, resetSeconds: 59 });
    expectRefused(await upload(account), 1);
  });

  it('counts each account on its own', async () => {
    const [first, second] = [await server.account('hobby'), await server.account('hobby')];
    expectLetThrough([await upload(first), await upload(second)]);
  });

  it('counts the keys of an account together', async () => {
    const account = await server.account('hobby');
    const credential = await server.key(account, { scopes: ['blob:write'] });
    expectLetThrough([await upload(account)]);
    expectRefused(await upload({ ...account, credential }), 1);
  });

  it('allows exactly one of 64 parallel uploads', async () => {
    const account = await server.account('standard');
    const answers = await Promise.all(Array.from({ length: 64 }, () => upload(account)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(answers.filter(isRateLimited)).toHaveLength(63);
  });

  it('stores nothing of an upload that its rate rejects', async () => {
    const account = await server.account('hobby');
    await upload(account, 'name=first');
    await upload(account, 'name=second');
    const { usedObjects, reservedBytes } = (await server.running.app.stores.metadata.read.accounts.find(account.id))!;
    expect({ usedObjects, reservedBytes }).toEqual({ usedObjects: 1, reservedBytes: 0 });
  });
});

describe('listObjects()', () => {
  it('takes 30 requests in 30 seconds, then is blocked for 30 seconds', async () => {
    const account = await server.account();
    expectLetThrough(await times(29, () => list(account)));
    server.clock.advance(20_000);
    expectLetThrough([await list(account)]);
    server.clock.advance(9_999);
    await expectRetryAfter(server, 30, () => list(account));
    expectLetThrough(await times(29, () => list(account)));
  });

  it('allows 30 more requests after 30 seconds without a 31st', async () => {
    const account = await server.account();
    expectLetThrough(await times(30, () => list(account)));
    server.clock.advance(30_000);
    expectLetThrough(await times(30, () => list(account)));
    expectRefused(await list(account), 30);
  });

  it('is not blocked for longer by requests during the block', async () => {
    const account = await server.account();
    await times(30, () => list(account));
    expectRefused(await list(account), 30);
    server.clock.advance(10_500);
    for (const answer of await times(10, () => list(account))) expectRefused(answer, 20);
    server.clock.advance(19_500);
    expectLetThrough([await list(account)]);
  });

  it('announces the rest in its headers, and the length of a block', async () => {
    const account = await server.account('pro');
    expect(limitsOf(await list(account))).toEqual({
      list: { quota: 30, windowSeconds: 30, remaining: 29, resetSeconds: 30 },
      account: { quota: 600, windowSeconds: 60, remaining: 599, resetSeconds: 60 },
    });
    server.clock.advance(1);
    expect(limitsOf(await list(account)).list, 'whole seconds, rounded up').toEqual({
      quota: 30,
      windowSeconds: 30,
      remaining: 28,
      resetSeconds: 30,
    });
    server.clock.advance(999);
    expect(limitsOf(await list(account)).list).toEqual({
      quota: 30,
      windowSeconds: 30,
      remaining: 27,
      resetSeconds: 29,
    });
    await times(27, () => list(account));
    expect(limitsOf(await list(account))).toEqual({
      list: { quota: 30, windowSeconds: 30, remaining: 0, resetSeconds: 30 },
      account: { quota: 600, windowSeconds: 60, remaining: 570, resetSeconds: 59 },
    });
  });

  it('lets exactly 30 of 64 parallel requests through', async () => {
    const account = await server.account();
    const answers = await Promise.all(Array.from({ length: 64 }, () => list(account)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(30);
    for (const answer of answers.filter(isRateLimited)) expectRefused(answer, 30);
    const left = answers.filter(({ status }) => status === 200).map((answer) => limitsOf(answer).list!.remaining);
    expect(
      left.toSorted((a, b) => a - b),
      'each sees another number',
    ).toEqual(Array.from({ length: 30 }, (_, at) => at));
  });

  it('leaves the other routes open while it is blocked', async () => {
    const account = await server.account();
    await times(31, () => list(account));
    expectLetThrough([await info(account), await remove(account), await upload(account)]);
  });

  it('counts HEAD as GET', async () => {
    const account = await server.account();
    const head = () => rawSend(server, { method: 'HEAD', path: '/v1/objects', credential: account.credential });
    expectLetThrough(await times(30, head));
    expect((await list(account)).status).toBe(429);
  });
});

describe('deleteObjects()', () => {
  it('takes 1000 files in 10 seconds, however many a request names', async () => {
    const account = await server.account();
    expectLetThrough(await times(9, () => remove(account, 100)));
    expectLetThrough(await times(50, () => remove(account, 2)));
    await expectRetryAfter(server, 10, () => remove(account));
  });

  it('rejects a batch that does not fit completely, and charges nothing for it', async () => {
    const account = await server.account();
    await times(9, () => remove(account, 100));
    await remove(account, 50);
    server.clock.advance(2_500);
    const refused = await remove(account, 51);
    expectRefused(refused, 8);
    expect(limitsOf(refused).delete).toEqual({ quota: 1000, windowSeconds: 10, remaining: 50, resetSeconds: 8 });
    expect(limitsOf(await remove(account, 49)).delete!.remaining).toBe(1);
    expectLetThrough([await remove(account)]);
    expectRefused(await remove(account), 8);
    server.clock.advance(7_499);
    expectRefused(await remove(account), 1);
    server.clock.advance(1);
    expectLetThrough([await remove(account, 100)]);
  });

  it('deletes nothing when its limit refuses a batch', async () => {
    const account = await server.account();
    const { id } = (await upload(account)).json().response;
    await times(10, () => remove(account, 100));
    const body = JSON.stringify({ objects: [id, `${id}x`] });
    expectRefused(
      await rawSend(server, { method: 'DELETE', path: '/v1/objects', credential: account.credential, body }),
      10,
    );
    expect(
      (await rawSend(server, { path: `/v1/objects/info?object=${id}`, credential: account.credential })).status,
    ).toBe(200);
  });

  it('answers TOO_MANY_OBJECTS, and not RATE_LIMITED for ever, to a batch that could never fit', async () => {
    const account = await server.account();
    const answer = await remove(account, 1001);
    expect(answer.json().code).toBe('TOO_MANY_OBJECTS');
  });

  it('counts a request that names no file, or names files in two ways, as at least one', async () => {
    const account = await server.account();
    const send = (body: string) =>
      rawSend(server, { method: 'DELETE', path: '/v1/objects', credential: account.credential, body });
    const bodies = ['{}', '{"objects":[]}', 'no JSON', '[]', '{"object":null}', '{"objects":7}'];
    for (const body of bodies) await send(body);
    expect(limitsOf(await remove(account)).delete!.remaining).toBe(1000 - bodies.length - 1);
    await send(JSON.stringify({ objects: ['x', 'y', 'z'] }));
    expect(limitsOf(await remove(account)).delete!.remaining, 'also what is refused then').toBe(
      1000 - bodies.length - 5,
    );
  });

  it('lets exactly 50 of 64 parallel batches of 20 through', async () => {
    const account = await server.account();
    const answers = await Promise.all(Array.from({ length: 64 }, () => remove(account, 20)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(50);
    for (const answer of answers.filter(isRateLimited)) expectRefused(answer, 10);
  });
});

describe('getObjectInfo()', () => {
  it('takes 60 requests a minute', async () => {
    const account = await server.account();
    expectLetThrough(await times(60, () => info(account)));
    server.clock.advance(15_000);
    await expectRetryAfter(server, 45, () => info(account));
    expectLetThrough(await times(59, () => info(account)));
  });

  it('announces the rest in its headers', async () => {
    const account = await server.account();
    expect(limitsOf(await info(account))).toEqual({
      info: { quota: 60, windowSeconds: 60, remaining: 59, resetSeconds: 60 },
      account: { quota: 1200, windowSeconds: 60, remaining: 1199, resetSeconds: 60 },
    });
  });

  it('lets exactly 60 of 64 parallel requests through', async () => {
    const account = await server.account();
    const answers = await Promise.all(Array.from({ length: 64 }, () => info(account)));
    expect(answers.filter(isRateLimited)).toHaveLength(4);
    for (const answer of answers.filter(isRateLimited)) expectRefused(answer, 60);
  });
});

describe('openDownloadLink()', () => {
  const open = (path: string) => rawSend(server, { door: 'files', path });

  /** A link to a private file of the account. */
  async function link(): Promise<string> {
    const account = await server.account();
    const { id } = (await upload(account, 'name=photo&private=true')).json().response;
    const { url } = (
      await rawSend(server, {
        path: `/v1/objects/download?object=${id}&redirect=false&expires=60`,
        credential: account.credential,
      })
    ).json().response;
    return new URL(url).pathname;
  }

  it("counts an address's requests with invalid tokens together, and each link on its own", async () => {
    const path = await link();
    let sent = 0;
    const answers = await times(60, () =>
      open(['/d/%ff', `${path}x`, `/d/${'x'.repeat(1000)}${sent}`, `/d/forged.${sent}`][sent++ % 4]!),
    );
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([404]));
    expect((await open('/d/another.one')).status).toBe(429);
    expectLetThrough(await times(60, () => open(path)));
    expect((await open(path)).status).toBe(429);
    expect((await open(await link())).status).toBe(200);
    server.clock.advance(60_000);
    expect(limitsOf(await open('/d/another.one'))['temporary-link']).toMatchObject({ remaining: 59 });
    expect(limitsOf(await open(path)), 'it has expired').toMatchObject({ 'temporary-link': { remaining: 58 } });
  });
});

describe('openShare()', () => {
  const open = (path: string, method = 'GET') => rawSend(server, { door: 'files', path, method });

  /** A link to a private file of a new account. */
  async function link(body: object = {}) {
    const account = await server.account();
    const { id: object } = (await upload(account, 'name=photo&private=true')).json().response;
    const ask = (method: string, more: object) =>
      rawSend(server, { method, path: '/v1/shares', credential: account.credential, body: JSON.stringify(more) });
    const { id } = (await ask('POST', { object, ...body })).json().response;
    return { path: `/s/${id}`, revoke: () => ask('DELETE', { id }) };
  }

  it('accepts 120 requests a minute from an address for each link, including HEAD and password attempts', async () => {
    const { path } = await link();
    expectLetThrough(await times(118, () => open(path, 'HEAD')));
    expectLetThrough([await open(path)]);
    const form = { 'Content-Type': 'application/x-www-form-urlencoded' };
    expectLetThrough([
      await rawSend(server, { door: 'files', method: 'POST', path, headers: form, body: 'password=a' }),
    ]);
    expectRefused(await open(path), 60);
    expectLetThrough([await open((await link()).path)]);
    server.clock.advance(60_000);
    expectLetThrough([await open(path)]);
  });

  it('counts unknown and revoked links together, so that nobody can tell them apart', async () => {
    const { path, revoke } = await link();
    await revoke();
    await times(60, () => open('/s/nosuchlinknosuchlink'));
    const answers = await times(60, () => open(path));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([404]));
    expect((await open('/s/anotherlinkthatisnone')).status).toBe(429);
    expect((await open(path)).status).toBe(429);
    server.clock.advance(60_000);
  });

  it('makes an address wait ever longer after wrong passwords, but accepts the right one of another link', async () => {
    const password = 'correct horse';
    const [guessed, other] = [await link({ password }), await link({ password })];
    const submit = (path: string, text: string) =>
      rawSend(server, {
        door: 'files',
        method: 'POST',
        path,
        headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
        body: new URLSearchParams({ password: text }).toString(),
      });
    for (let wrong = 0; wrong < 3; wrong++) expect((await submit(guessed.path, 'wrong password')).status).toBe(401);
    expectRefused(await submit(guessed.path, password), 1);
    expect((await submit(other.path, password)).status).toBe(303);
    server.clock.advance(1000);
    expect((await submit(guessed.path, 'wrong password')).status).toBe(401);
    expectRefused(await submit(guessed.path, password), 2);
    server.clock.advance(2000);
    expect((await submit(guessed.path, password)).status).toBe(303);
  });
});

describe('getPublicFile()', () => {
  it('has no limit, and announces none', async () => {
    const answers = await times(200, () => rawSend(server, { door: 'public', path: '/123456789012345678/none.png' }));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([404]));
    expect(answers[0]!.headers.has('ratelimit')).toBe(false);
  });
});
