import { once } from 'node:events';

import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';

import { policies } from '#generated/policies.ts';
import { fileHead, multipartType, smallest } from '#test/contract/bad-input/multipart.ts';
import { openRequest, type OpenRequest } from '#test/contract/bad-input/raw-request.ts';
import { partsOfFeatures } from '#test/support/parts-of-features.ts';
import { startTestServer, type TestAccount, type TestServer } from '#test/support/server.ts';

let server: TestServer;
const opened: OpenRequest[] = [];
beforeAll(async () => {
  server = await startTestServer({ rateLimits: true });
});
afterEach(() => {
  for (const { wire } of opened.splice(0)) wire.destroy();
  server.clock.advance(60_000);
});
afterAll(() => server.stop());

/** Operations whose body has bytes of a file. */
const doors = Object.entries(policies).filter(
  ([, { bodyTypes, formParts }]) =>
    formParts || bodyTypes.some((type) => /multipart|octet-stream|partial-upload/.test(type)),
);

it('every operation that takes bytes of a file has a rate, and a cap on its bodies at once', async () => {
  const caps = Object.fromEntries(
    doors.map(([id, { rateLimits, concurrency }]) => [
      id,
      `${rateLimits.map(({ name }) => name).join(' ')}; ${concurrency?.limit} ${concurrency?.name}`,
    ]),
  );
  expect(caps).toEqual({
    uploadObject: 'upload; 4 uploads',
    startUpload: 'uploads-start upload; 4 uploads',
    putUploadBytes: 'uploads-append; 4 uploads',
    putChunkedPart: 'chunked-part; 6 chunked-parts',
    ...Object.assign({}, ...(await partsOfFeatures('cases')).map((own) => own.byteLimits)),
  });
});

let names = 0;
const tus = { 'Tus-Resumable': '1.0.0' };
const draft = { 'Upload-Draft-Interop-Version': '8' };
const bytesOfTus = { ...tus, 'Content-Type': 'application/offset+octet-stream' };

/** Sends the head of a body whose rest does not come. */
function offer(request: Parameters<typeof openRequest>[1]): OpenRequest {
  const sending = openRequest(server, {
    ...request,
    headers: { 'Transfer-Encoding': 'chunked', Expect: '100-continue', ...request.headers },
  });
  sending.wire.flushHeaders();
  opened.push(sending);
  return sending;
}

/** Starts an upload without bytes. Returns its path. */
async function started({ credential }: TestAccount, headers: Readonly<Record<string, string>>): Promise<string> {
  const answer = await server.send(`/v1/uploads?name=file${names++}`, { method: 'POST', credential, headers });
  expect(answer.status).toBe(201);
  return new URL(answer.headers.get('location')!, 'http://x').pathname;
}

/** The doors that share the four places, each with a body under way. */
const sharing: Readonly<Record<string, (account: TestAccount) => Promise<OpenRequest>>> = {
  'Object Post': async ({ credential }) =>
    offer({
      method: 'POST',
      path: `/v1/objects?name=file${names++}`,
      credential,
      headers: { 'Content-Type': multipartType },
    }),
  'a tus upload that is created with bytes': async ({ credential }) =>
    offer({
      method: 'POST',
      path: `/v1/uploads?name=file${names++}`,
      credential,
      headers: { ...bytesOfTus, 'Upload-Length': '600' },
    }),
  'bytes of a tus upload': async (account) =>
    offer({
      method: 'PATCH',
      path: await started(account, { ...tus, 'Upload-Length': '600' }),
      credential: account.credential,
      headers: { ...bytesOfTus, 'Upload-Offset': '0' },
    }),
  'a draft upload in one request': async ({ credential }) =>
    offer({
      method: 'POST',
      path: `/v1/uploads?name=file${names++}`,
      credential,
      headers: { ...draft, 'Upload-Complete': '?1' },
    }),
  'bytes of a draft upload': async (account) =>
    offer({
      method: 'PATCH',
      path: await started(account, { ...draft, 'Upload-Complete': '?0' }),
      credential: account.credential,
      headers: {
        ...draft,
        'Upload-Offset': '0',
        'Upload-Complete': '?1',
        'Content-Type': 'application/partial-upload',
      },
    }),
};

describe.each(Object.entries(sharing))('four bodies of %s', (_, hold) => {
  it('leave no place for another one, at any door', async () => {
    const account = await server.account();
    for (let held = 0; held < 4; held++) {
      const { wire } = await hold(account);
      // The server asks for the body when it has its place.
      await once(wire, 'continue');
      wire.write(Buffer.concat([Buffer.from(fileHead()), smallest]).subarray(0, 300));
    }
    for (const more of Object.values(sharing)) {
      const answer = await (await more(account)).answer;
      expect([answer.status, answer.json().code]).toEqual([429, 'TOO_MANY_CONCURRENT_UPLOADS']);
      expect(answer.headers.get('retry-after')).toBe('1');
    }
  });
});

it('starts without bytes take no place', async () => {
  const account = await server.account();
  for (let held = 0; held < 4; held++) await once((await sharing['Object Post']!(account)).wire, 'continue');
  await started(account, { ...tus, 'Upload-Length': '600' });
});

it('a start by tus counts towards the rate of uploads of the plan', async () => {
  const account = await server.account('standard');
  await started(account, { ...tus, 'Upload-Length': '600' });
  const form = { method: 'POST', credential: account.credential, headers: { 'Content-Type': multipartType } };
  const answer = await server.send('/v1/objects?name=other', { ...form, body: 'x' });
  expect([answer.status, answer.json().code]).toEqual([429, 'RATE_LIMITED']);
});
