import { once } from 'node:events';

import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';

import { closing, fileHead, multipartType, smallest } from '#test/contract/bad-input/multipart.ts';
import { openRequest, rawSend, type OpenRequest } from '#test/contract/bad-input/raw-request.ts';
import { startTestServer, type TestAccount, type TestAnswer, type TestServer } from '#test/support/server.ts';
import { asking, limitsOf } from './asking.ts';

let server: TestServer;
const { info, list, remove, upload } = asking(() => server);
const opened: OpenRequest[] = [];

beforeAll(async () => {
  server = await startTestServer({ rateLimits: true });
});
afterEach(() => {
  for (const { wire } of opened.splice(0)) wire.destroy();
});
afterAll(() => server.stop());

let names = 0;

/** An upload whose body the server has requested. It stays open until the test continues it. */
async function hold(account: TestAccount, headers: Readonly<Record<string, string>> = {}): Promise<OpenRequest> {
  const request = offer(account, headers);
  // The server requests the body only when the upload has its place.
  await once(request.wire, 'continue');
  request.wire.write(Buffer.concat([Buffer.from(fileHead()), smallest]));
  return request;
}

/** Holds an upload; undefined if it is rejected. However long it takes, none is left behind that holds a place. */
async function tryToHold(account: TestAccount): Promise<OpenRequest | undefined> {
  const request = offer(account);
  const taken = once(request.wire, 'continue').then(() => true);
  const isTaken = await Promise.race([taken, request.answer.then(() => false)]);
  if (!isTaken) return undefined;
  request.wire.write(Buffer.concat([Buffer.from(fileHead()), smallest]));
  return request;
}

/** Sends the head of an upload and waits until the server requests its body. */
function offer(account: TestAccount, headers: Readonly<Record<string, string>> = {}): OpenRequest {
  const request = openRequest(server, {
    method: 'POST',
    path: `/v1/objects?name=held${names++}`,
    credential: account.credential,
    headers: { 'Content-Type': multipartType, 'Transfer-Encoding': 'chunked', Expect: '100-continue', ...headers },
  });
  request.wire.flushHeaders();
  opened.push(request);
  return request;
}

async function finish({ wire, answer }: OpenRequest): Promise<TestAnswer> {
  wire.end(closing);
  return answer;
}

function expectNoPlace(answer: TestAnswer): void {
  expect(answer.status).toBe(429);
  expect(answer.json().code).toBe('TOO_MANY_CONCURRENT_UPLOADS');
  expect(answer.headers.get('retry-after')).toBe('1');
}

/** Waits until this many places are free, according to the server itself. */
async function expectFree(account: TestAccount, places: number): Promise<void> {
  await expect
    .poll(
      async () => {
        const all = await Promise.all(Array.from({ length: 4 }, () => tryToHold(account)));
        const held = all.filter((one) => one !== undefined);
        for (const one of held) await finish(one);
        return held.length;
      },
      { interval: 20, timeout: 10_000 },
    )
    .toBe(places);
}

describe('uploadObject()', () => {
  it('allows four uploads of an account at once and rejects the fifth before its body is read', async () => {
    const account = await server.account();
    const held = [await hold(account), await hold(account), await hold(account), await hold(account)];

    const fifth = offer(account);
    let isAsked = false;
    fifth.wire.once('continue', () => (isAsked = true));
    expectNoPlace(await fifth.answer);
    expect(isAsked).toBe(false);
    expectNoPlace(await upload(account));

    expect((await finish(held[0]!)).status).toBe(200);
    const next = await hold(account);
    expectNoPlace(await upload(account));
    for (const one of [...held.slice(1), next]) expect((await finish(one)).status).toBe(200);
    expect((await upload(account)).status).toBe(200);
  });

  it('announces the remaining rates even when no place is free', async () => {
    const account = await server.account('pro');
    for (let round = 0; round < 4; round++) await hold(account);
    const answer = await upload(account);
    expectNoPlace(answer);
    expect(limitsOf(answer)).toEqual({ account: { quota: 600, windowSeconds: 60, remaining: 595, resetSeconds: 60 } });
  });

  it('frees the place when a client disconnects, before its body, in the middle or at its end', async () => {
    const account = await server.account();
    const [before, midst, end, stays] = [
      await hold(account),
      await hold(account),
      await hold(account),
      await hold(account),
    ];
    before.wire.destroy();
    midst.wire.write(Buffer.alloc(100_000));
    midst.wire.destroy();
    end.wire.write(closing.slice(0, -3));
    end.wire.destroy();
    await expectFree(account, 3);
    expect((await finish(stays)).status).toBe(200);
    await expectFree(account, 4);
  });

  it('frees the place when an upload is refused', async () => {
    const account = await server.account();
    const refused = [
      await upload(account, 'name=..'),
      await upload(account, 'name=a&expire=1y'),
      await upload(account, `name=a&checksum_sha256=${'0'.repeat(64)}`),
      await rawSend(server, { method: 'POST', path: '/v1/objects?name=a', credential: account.credential, body: 'x' }),
      await rawSend(server, {
        method: 'POST',
        path: '/v1/objects?name=a',
        credential: account.credential,
        headers: { 'Content-Type': multipartType },
        body: fileHead(),
      }),
    ];
    expect(refused.map(({ status }) => status)).toEqual([400, 400, 400, 409, 400]);
    await expectFree(account, 4);
  });

  it('frees the place when an upload is rejected while its client still sends', async () => {
    const account = await server.account();
    const stubborn = await Promise.all(Array.from({ length: 4 }, () => hold(account)));
    // Another part is rejected, while the connection stays open.
    for (const { wire } of stubborn) wire.write(`\r\n${fileHead()}${'x'.repeat(1000)}`);
    for (const { answer } of stubborn) expect((await answer).json().code).toBe('INVALID_CONTENT_TYPE');
    expect((await upload(account)).status).toBe(200);
  });

  it('rejects no uploads of other accounts, and no other routes', async () => {
    const [busy, other] = [await server.account(), await server.account()];
    for (let round = 0; round < 4; round++) await hold(busy);
    expectNoPlace(await upload(busy));
    expect((await upload(other)).status).toBe(200);
    expect([(await info(busy)).status, (await list(busy)).status, (await remove(busy)).status]).toEqual([
      404, 200, 404,
    ]);
  });

  it('counts the keys of an account together', async () => {
    const account = await server.account();
    const credential = await server.key(account, { scopes: ['blob:write'] });
    for (const key of [account.credential, credential, account.credential, credential])
      await hold({ ...account, credential: key });
    expectNoPlace(await upload({ ...account, credential }));
  });

  it('counts uploads of an account whose rate is limited as well', async () => {
    const account = await server.account('hobby');
    for (let round = 0; round < 4; round++) {
      await hold(account);
      server.clock.advance(1000);
    }
    const answer = await upload(account);
    expectNoPlace(answer);
    expect(limitsOf(answer).upload!.remaining, 'it is counted by the limits that come before').toBe(0);
  });

  it('lets exactly four of 64 parallel uploads in', async () => {
    const account = await server.account();
    const offers = Array.from({ length: 64 }, () => offer(account));
    const asked = offers.map(({ wire }) => once(wire, 'continue'));
    const outcomes = await Promise.all(
      offers.map(({ answer }, at) =>
        Promise.race([asked[at]!.then(() => 'asked'), answer.then((one) => one.json().code)]),
      ),
    );
    expect(outcomes.filter((one) => one === 'asked')).toHaveLength(4);
    expect(outcomes.filter((one) => one === 'TOO_MANY_CONCURRENT_UPLOADS')).toHaveLength(60);
  });
});
