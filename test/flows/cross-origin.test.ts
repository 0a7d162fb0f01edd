import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { openRequest, rawSend, type RawRequest } from '#test/contract/bad-input/raw-request.ts';
import { multipart, multipartType, smallest } from '#test/contract/bad-input/multipart.ts';
import { startTestServer, type TestAnswer, type TestServer } from '#test/support/server.ts';
import { tokenOf } from '#test/support/upload-tokens.ts';

let server: TestServer;
beforeAll(async () => void (server = await startTestServer({ rateLimits: true })));
afterAll(() => server.stop());

const origin = 'https://app.example';

/** Uploads from a page of another origin. */
const uploadFrom = (
  credential: string,
  query = 'name=photo',
  body: RawRequest['body'] = multipart(smallest),
): RawRequest => ({
  method: 'POST',
  path: `/v1/objects?${query}`,
  credential,
  headers: { Origin: origin, 'Content-Type': multipartType },
  body,
});

function expectReadable(answer: TestAnswer, status: number, code: string | undefined): void {
  expect([answer.status, answer.json().code]).toEqual([status, code]);
  expect(answer.headers.get('access-control-allow-origin')).toBe('*');
  const exposed = answer.headers.get('access-control-expose-headers')!.split(',');
  for (const name of ['X-Request-Id', 'Retry-After', 'RateLimit', 'RateLimit-Policy']) expect(exposed).toContain(name);
}

describe('a page of another origin', () => {
  it.each(['/v1/objects', '/v1/objects/chunked', '/v1/upload-tokens'])(
    'may send an Authorization header to %s, by the preflight response',
    async (path) => {
      for (const method of ['POST', 'PUT', 'PATCH', 'DELETE', 'GET']) {
        const headers = {
          Origin: origin,
          'Access-Control-Request-Method': method,
          'Access-Control-Request-Headers': 'authorization,content-type',
        };
        const response = await fetch(server.running.urls.base + path, { method: 'OPTIONS', headers });
        expect(response.status).toBe(204);
        expect(response.headers.get('access-control-allow-origin')).toBe('*');
        expect(response.headers.get('access-control-allow-methods')!.split(',')).toContain(method);
        expect(response.headers.get('access-control-allow-headers')).toBe('authorization,content-type');
        expect(Number(response.headers.get('access-control-max-age'))).toBeGreaterThan(0);
      }
    },
  );

  it('can read the response to its upload, and the errors 401, 403, 400', async () => {
    const account = await server.account();
    const token = await tokenOf(server, account, { allowed_extensions: ['png'] });
    expectReadable(await rawSend(server, uploadFrom('cbup_unknown')), 401, 'ACCESS_DENIED');
    expectReadable(await rawSend(server, uploadFrom(token, 'name=..')), 400, 'INVALID_OBJECT_NAME');
    expectReadable(await rawSend(server, uploadFrom(token)), 200, undefined);
    expectReadable(await rawSend(server, uploadFrom(token)), 401, 'UPLOAD_TOKEN_USED');
    expectReadable(
      await rawSend(server, uploadFrom(await tokenOf(server, account, { allowed_origins: ['https://other.example'] }))),
      403,
      'ORIGIN_NOT_ALLOWED',
    );
    expectReadable(
      await rawSend(server, {
        path: '/v1/objects',
        credential: await tokenOf(server, account),
        headers: { Origin: origin },
      }),
      403,
      'UPLOAD_TOKEN_NOT_ALLOWED',
    );
  });

  it('can read 429 and Retry-After', async () => {
    const token = await tokenOf(server, await server.account('hobby'), { max_uses: 2 });
    expectReadable(await rawSend(server, uploadFrom(token)), 200, undefined);
    const refused = await rawSend(server, uploadFrom(token));
    expectReadable(refused, 429, 'RATE_LIMITED');
    expect(refused.headers.get('retry-after')).toBe('1');
  });

  it('can read 413 for a body that is rejected in the middle', async () => {
    const token = await tokenOf(server, await server.account(), { max_size: 20_000 });
    expectReadable(
      await rawSend(server, uploadFrom(token, 'name=photo', multipart(Buffer.alloc(3_000_000)))),
      413,
      'FILE_TOO_LARGE',
    );
    const { wire, answer } = openRequest(server, {
      ...uploadFrom(token),
      headers: { Origin: origin, 'Content-Type': multipartType, 'Transfer-Encoding': 'chunked' },
    });
    wire.write(multipart(Buffer.alloc(3_000_000)));
    expectReadable(await answer, 413, 'FILE_TOO_LARGE');
    wire.destroy();
  });
});
