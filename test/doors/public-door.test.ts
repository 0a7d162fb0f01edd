import { describe, expect, it } from 'vitest';

import { someBytes } from '#test/support/files.ts';
import { publicFiles } from './public-files.ts';
import { exchange } from './raw-request.ts';

const files = publicFiles();
const { get, stored } = files;

describe('the public door', () => {
  it('lets pages of every origin read files, ranges and headers', async () => {
    const path = await stored();
    const { headers } = await get(path, { Origin: 'https://app.example.com', Range: 'bytes=0-9' });
    expect(headers.get('access-control-allow-origin')).toBe('*');
    expect(headers.get('access-control-allow-credentials')).toBeNull();
    expect(
      headers
        .get('access-control-expose-headers')!
        .split(',')
        .map((name) => name.trim().toLowerCase()),
    ).toEqual(
      expect.arrayContaining(['etag', 'content-range', 'accept-ranges', 'content-disposition', 'x-request-id']),
    );
  });

  it('lets pages of every origin read refusals', async () => {
    expect(
      (await get('/nothing', { Origin: 'https://app.example.com' })).headers.get('access-control-allow-origin'),
    ).toBe('*');
  });

  it('answers a preflight', async () => {
    const headers = {
      Origin: 'https://app.example.com',
      'Access-Control-Request-Method': 'GET',
      'Access-Control-Request-Headers': 'range',
    };
    const answer = await exchange(files.server, await stored(), { method: 'OPTIONS', headers });
    expect(answer.status).toBe(204);
    expect(answer.headers.get('access-control-allow-methods')).toBe('GET,HEAD');
    expect(answer.headers.get('access-control-allow-headers')!.toLowerCase()).toContain('range');
    expect(Number(answer.headers.get('access-control-max-age'))).toBeGreaterThan(0);
  });

  it('answers OPTIONS without preflight headers with Allow', async () => {
    const answer = await exchange(files.server, await stored(), { method: 'OPTIONS' });
    expect([answer.status, answer.headers.get('allow')]).toEqual([204, 'GET, HEAD, OPTIONS']);
  });

  it.each(['POST', 'PUT', 'PATCH', 'DELETE', 'PROPFIND', 'TRACE'])(
    'answers %s with 405 and Allow, whether or not the file exists',
    async (method) => {
      for (const path of [await stored(), `/${files.account.id}/nothing.png`]) {
        const answer = await exchange(files.server, path, { method });
        expect([answer.status, answer.headers.get('allow'), answer.json().code]).toEqual([
          405,
          'GET, HEAD, OPTIONS',
          'METHOD_NOT_ALLOWED',
        ]);
      }
    },
  );

  it('refuses an unexpected body and keeps working', async () => {
    const answer = await files.server.send(`/${files.account.id}/nothing.png`, {
      door: 'public',
      method: 'POST',
      body: new Blob([new Uint8Array(2_000_000)]),
    });
    expect([answer.status, answer.json().code]).toEqual([405, 'METHOD_NOT_ALLOWED']);
    expect((await get(await stored())).status).toBe(200);
  });

  it('puts a request id on every response, and keeps the one that a proxy sent', async () => {
    const path = await stored();
    expect((await get(path)).headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
    expect((await get(path, { 'X-Request-Id': 'edge-12345678' })).headers.get('x-request-id')).toBe('edge-12345678');
  });

  it('serves parallel downloads completely, one on each connection', async () => {
    const bytes = someBytes(300_000);
    const path = await stored({ bytes });
    const answers = await Promise.all(Array.from({ length: 32 }, () => get(path)));
    expect(answers.every(({ body }) => body.equals(bytes))).toBe(true);
  });
});
