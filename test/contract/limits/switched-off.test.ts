import { once } from 'node:events';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { closing, fileHead, multipartType, smallest } from '#test/contract/bad-input/multipart.ts';
import { openRequest } from '#test/contract/bad-input/raw-request.ts';
import { startTestServer, type TestServer } from '#test/support/server.ts';
import { asking, expectLetThrough, times } from './asking.ts';

let server: TestServer;
const { list, info, remove, upload } = asking(() => server);

beforeAll(async () => {
  server = await startTestServer({ env: { CUBBY_RATE_LIMITS: 'off' } });
});
afterAll(() => server.stop());

describe('CUBBY_RATE_LIMITS=off', () => {
  it('lifts the limits of every route and of the account, and announces none', async () => {
    const hobby = await server.account('hobby');
    const answers = [
      ...(await times(10, () => upload(hobby))),
      ...(await times(70, () => list(hobby))),
      ...(await times(70, () => info(hobby))),
      ...(await times(12, () => remove(hobby, 100))),
    ];
    expectLetThrough(answers);
    for (const { headers } of answers)
      expect([headers.has('ratelimit'), headers.has('ratelimit-policy')]).toEqual([false, false]);
    const none = await server.account('none');
    expectLetThrough(await times(20, () => info(none)));
  });

  it('lifts the block for failed credentials', async () => {
    const account = await server.account();
    const answers = await times(50, () => info({ id: account.id, credential: 'wrong' }));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([401]));
    expectLetThrough([await info(account)]);
  });

  it('lifts the cap of four uploads at once', async () => {
    const account = await server.account('hobby');
    const held = await Promise.all(
      Array.from({ length: 8 }, async (_, at) => {
        const request = openRequest(server, {
          method: 'POST',
          path: `/v1/objects?name=held${at}`,
          credential: account.credential,
          headers: { 'Content-Type': multipartType, 'Transfer-Encoding': 'chunked', Expect: '100-continue' },
        });
        request.wire.flushHeaders();
        await once(request.wire, 'continue');
        return request;
      }),
    );
    for (const { wire } of held) wire.end(fileHead() + smallest.toString() + closing);
    for (const { answer } of held) expect((await answer).status).toBe(200);
  });

  it('lifts neither the plan nor the quota', async () => {
    expect((await upload(await server.account('none'))).json().code).toBe('PERMISSION_DENIED');
    const account = await server.account('hobby');
    await server.running.app.stores.metadata.atomically((tx) => tx.accounts.setQuota(account.id, 511));
    expect((await upload(account)).json().code).toBe('STORAGE_QUOTA_EXCEEDED');
  });
});
