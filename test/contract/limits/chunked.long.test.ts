import { once } from 'node:events';

import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';

import { openRequest, type OpenRequest } from '#test/contract/bad-input/raw-request.ts';
import { chunking } from '#test/support/chunked.ts';
import { someBytes } from '#test/support/files.ts';
import { startTestServer, type TestAccount, type TestAnswer, type TestServer } from '#test/support/server.ts';
import { expectLetThrough, expectRetryAfter, isRateLimited, limitsOf, statusesOf, times } from './asking.ts';

let server: TestServer;
const opened: OpenRequest[] = [];
const chunks = chunking(() => server);
const unknown = `${'a'.repeat(26)}.${'b'.repeat(43)}`;

beforeAll(async () => void (server = await startTestServer({ rateLimits: true })));
afterEach(() => {
  for (const { wire } of opened.splice(0)) wire.destroy();
});
afterAll(() => server.stop());

describe.each<[string, string, number, (account: TestAccount) => Promise<TestAnswer>]>([
  ['startChunkedUpload()', 'chunked-start', 5, (account) => chunks.start(account)],
  ['completeChunkedUpload()', 'chunked-complete', 5, (account) => chunks.complete(account, unknown)],
  ['abortChunkedUpload()', 'chunked-abort', 10, (account) => chunks.abort(account, unknown)],
  ['getChunkedUpload()', 'chunked-status', 10, (account) => chunks.status(account, unknown)],
  ['listChunkedUploads()', 'chunked-open', 10, (account) => chunks.list(account)],
])('%s', (_, name, limit, ask) => {
  it(`takes ${limit} requests in 10 seconds, and then as many again`, async () => {
    const account = await server.account();
    for (let request = 0; request < limit; request++) expectLetThrough([await ask(account)]);
    await expectRetryAfter(server, 10, () => ask(account));
    expect(limitsOf(await ask(account))[name]).toMatchObject({ quota: limit, windowSeconds: 10, remaining: limit - 2 });
  });

  it(`lets exactly ${limit} of ${limit + 54} parallel requests through`, async () => {
    const account = await server.account();
    const answers = await times(limit + 54, async () => {
      const answer = await ask(account);
      return answer.status === 429 && answer.json().code !== 'RATE_LIMITED' ? { ...answer, status: 0 } : answer;
    });
    expect(answers.filter((answer) => !isRateLimited(answer))).toHaveLength(limit);
  });
});

describe('putChunkedPart()', () => {
  const path = `/v1/objects/chunked?upload=${unknown}&part=1`;
  const put = (account: TestAccount) => chunks.put(account, unknown, 1, Buffer.from('a'));

  it('takes 600 requests in 10 seconds, and then as many again', async () => {
    const account = await server.account();
    expect(new Set(await statusesOf(server, 600, 'PUT', path, account))).toEqual(new Set([400]));
    await expectRetryAfter(server, 10, () => put(account));
    expect(limitsOf(await put(account))['chunked-part']).toMatchObject({
      quota: 600,
      windowSeconds: 10,
      remaining: 598,
    });
  });

  it('lets exactly 600 of 654 parallel requests through', async () => {
    const account = await server.account();
    const statuses = await statusesOf(server, 654, 'PUT', path, account);
    expect(statuses.filter((status) => status === 400)).toHaveLength(600);
    expect(statuses.filter((status) => status === 429)).toHaveLength(54);
  });
});

/** Sends the head of a part and waits until the server requests its body or rejects it. */
async function offer(
  account: TestAccount,
  handle: string,
  part: number,
  announced = 700,
): Promise<OpenRequest & { readonly isAsked: boolean }> {
  const request = openRequest(server, {
    method: 'PUT',
    path: `/v1/objects/chunked?upload=${handle}&part=${part}`,
    credential: account.credential,
    headers: { 'Content-Length': String(announced), Expect: '100-continue' },
  });
  opened.push(request);
  const asked = once(request.wire, 'continue').then(() => true);
  request.wire.flushHeaders();
  return { ...request, isAsked: await Promise.race([asked, request.answer.then(() => false)]) };
}

describe('putChunkedPart()', () => {
  it('allows six parts of an account at once, rejects the seventh before reading its body, frees places', async () => {
    const account = await server.account();
    const handles = [await chunks.open(account, { name: 'a' }), await chunks.open(account, { name: 'b' })];
    const held = [];
    for (let part = 1; part <= 6; part++) held.push(await offer(account, handles[part % 2]!, part));
    expect(held.map(({ isAsked }) => isAsked)).toEqual(Array(6).fill(true));
    const seventh = await offer(account, handles[0]!, 7);
    expect(seventh.isAsked).toBe(false);
    const refused = await seventh.answer;
    expect([refused.status, refused.json().code, refused.headers.get('retry-after')]).toEqual([
      429,
      'TOO_MANY_CONCURRENT_CHUNKS',
      '1',
    ]);
    expect((await chunks.put(await server.account(), unknown, 1, Buffer.from('a'))).json().code).toBe(
      'INVALID_UPLOAD_TOKEN',
    );

    held[0]!.wire.end(someBytes(700));
    expect((await held[0]!.answer).status).toBe(200);
    held[1]!.wire.destroy();
    await expect
      .poll(async () => (await chunks.put(account, handles[0]!, 9, someBytes(700))).status, { interval: 50 })
      .toBe(200);
    for (const { wire, answer } of held.slice(2)) {
      wire.end(someBytes(700));
      expect((await answer).status).toBe(200);
    }
    const parts = await Promise.all(
      handles.map(async (handle) =>
        (await chunks.status(account, handle)).json().response.parts.map(({ part }: { part: number }) => part),
      ),
    );
    expect(parts.flat().sort()).toEqual([1, 3, 4, 5, 6, 9]);
  });

  it('frees the place of a part whose body only trickles in, and keeps nothing of it', async () => {
    const own = await startTestServer({ rateLimits: true, slowestBody: { minBytes: 1000, everyMs: 200 } });
    const account = await own.account();
    const upload = await chunking(() => own).open(account);
    const slow = openRequest(own, {
      method: 'PUT',
      path: `/v1/objects/chunked?upload=${upload}&part=1`,
      credential: account.credential,
      headers: { 'Content-Length': '5000000' },
    });
    const trickle = setInterval(() => slow.wire.write('x'.repeat(10)), 20);
    await expect(slow.answer).rejects.toThrow();
    clearInterval(trickle);
    await expect
      .poll(() => own.log)
      .toContainEqual(expect.objectContaining({ operation: 'putChunkedPart', outcome: 'aborted' }));
    expect((await chunking(() => own).status(account, upload)).json().response.parts).toEqual([]);
  });

  it.each([
    ['CHUNK_TOO_LARGE', 33_554_433],
    ['EMPTY_CHUNK', 0],
    ['STORAGE_QUOTA_EXCEEDED', 100_001],
  ])('answers %s to an announced length before it asks for the body', async (code, announced) => {
    const account = await server.account();
    await server.running.app.stores.metadata.atomically((tx) => tx.accounts.setQuota(account.id, 100_000));
    const request = await offer(account, await chunks.open(account), 1, announced);
    expect([request.isAsked, (await request.answer).json().code]).toEqual([false, code]);
  });

  it("does not count towards the limit of all the account's requests", async () => {
    const account = await server.account('hobby');
    expect(Object.keys(limitsOf(await chunks.put(account, unknown, 1, Buffer.from('a'))))).toEqual(['chunked-part']);
    expect(Object.keys(limitsOf(await chunks.status(account, unknown)))).toEqual(['chunked-status', 'account']);
  });
});

describe('startChunkedUpload()', () => {
  it('allows 32 open uploads, also if rates are switched off', async () => {
    const free = await startTestServer();
    const account = await free.account();
    const answers = await Promise.all(Array.from({ length: 64 }, () => chunking(() => free).start(account)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(32);
    expect(new Set(answers.filter(({ status }) => status !== 200).map((answer) => answer.json().code))).toEqual(
      new Set(['TOO_MANY_OPEN_UPLOADS']),
    );
  });
});
