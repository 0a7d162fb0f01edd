import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { startTestServer, type TestServer } from '#test/support/server.ts';

const script = `export const words = ${JSON.stringify('a script. '.repeat(200))};`;
const packed = gzipSync('kept beside the file');

let folder: string;
let server: TestServer;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'cubby-console-'));
  await mkdir(join(folder, 'assets'));
  await writeFile(join(folder, 'index.html'), '<!doctype html><title>Console</title>');
  await writeFile(join(folder, 'logo.svg'), '<svg xmlns="http://www.w3.org/2000/svg"/>');
  await writeFile(join(folder, 'assets/index-Ab12Cd34.js'), script);
  await writeFile(join(folder, 'assets/other-Ab12Cd34.js'), script);
  await writeFile(join(folder, 'assets/other-Ab12Cd34.js.gz'), packed);
  server = await startTestServer({
    consoleFolder: folder,
    env: {
      CUBBY_PUBLIC_URL: 'https://cdn.example.invalid/files',
      CUBBY_FILES_URL: 'https://links.example.invalid',
    },
  });
});
afterAll(async () => {
  await server.stop();
  await rm(folder, { recursive: true });
});

type Door = 'api' | 'operator';
const get = (path: string, headers: Record<string, string> = {}, door: Door = 'api') =>
  fetch(server.running.urls[door] + path, { headers, redirect: 'manual' });

describe.each(['api', 'operator'] as const)('the console at the %s door', (door) => {
  it.each(['/console', '/console/', '/console/files', '/console/keys/x/y', '/console/files/all/site.v2'])(
    'shows its page at %s',
    async (path) => {
      const answer = await get(path, {}, door);
      expect([answer.status, answer.headers.get('Content-Type')]).toEqual([200, 'text/html; charset=utf-8']);
      expect(await answer.text()).toContain('<title>Console</title>');
      expect(answer.headers.get('Cache-Control')).toBe('no-cache');
      const again = await get(path, { 'If-None-Match': answer.headers.get('ETag')! }, door);
      expect(again.status).toBe(304);
    },
  );

  it('has the strict headers of a page that holds a session, from the configuration alone', async () => {
    const { headers } = await get('/console', { Host: 'evil.invalid', 'X-Forwarded-Host': 'evil.invalid' }, door);
    const files = 'https://links.example.invalid https://cdn.example.invalid';
    expect(headers.get('Content-Security-Policy')!.split('; ')).toEqual([
      "default-src 'none'",
      "script-src 'self'",
      "style-src 'self'",
      `img-src 'self' data: ${files}`,
      `media-src ${files}`,
      `frame-src ${files}`,
      "connect-src 'self'",
      "font-src 'self'",
      "form-action 'none'",
      "worker-src 'none'",
      "base-uri 'none'",
      "frame-ancestors 'none'",
      "require-trusted-types-for 'script'",
      "trusted-types 'none'",
    ]);
    expect(Object.fromEntries(headers)).toMatchObject({
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
      'cross-origin-opener-policy': 'same-origin',
      'cross-origin-resource-policy': 'same-origin',
    });
    expect(headers.get('Permissions-Policy')).toContain('camera=()');
  });

  it('serves assets for good, compressed', async () => {
    const answer = await get('/console/assets/index-Ab12Cd34.js', { 'Accept-Encoding': 'identity' }, door);
    expect(answer.headers.get('Cache-Control')).toBe('public, max-age=31536000, immutable');
    expect(answer.headers.get('Content-Type')).toBe('text/javascript; charset=utf-8');
    expect(await answer.text()).toBe(script);
    const small = await get('/console/assets/index-Ab12Cd34.js', { 'Accept-Encoding': 'br' }, door);
    expect([small.headers.get('Content-Encoding'), small.headers.get('Vary')]).toEqual(['br', 'Accept-Encoding']);
    expect(await small.text()).toBe(script);
    const kept = await get('/console/assets/other-Ab12Cd34.js', { 'Accept-Encoding': 'gzip' }, door);
    expect(await kept.text()).toBe('kept beside the file');
    expect((await get('/console/logo.svg', {}, door)).headers.get('Cache-Control')).toBe('no-cache');
  });

  it.each([
    '/console/assets/gone.js',
    '/console/assets/gone',
    '/console/x.js',
    '/console/../package.json',
    '/consoles',
  ])('has nothing at %s', async (path) => {
    expect((await get(path, {}, door)).status).toBe(404);
  });

  it('says what the page needs before anybody signs in, and no secret', async () => {
    const answer = await get('/console/config.json', {}, door);
    expect(answer.headers.get('Content-Type')).toBe('application/json; charset=utf-8');
    expect(await answer.json()).toEqual({
      door: door === 'api' ? 'account' : 'operator',
      version: expect.stringMatching(/^\d+\.\d+\.\d+/),
      api_url: server.running.urls.api,
      files_url: 'https://links.example.invalid',
      public_url: 'https://cdn.example.invalid/files',
      s3_url: server.running.urls.s3,
      docs_url: expect.toSatisfy((url) => url === null || url === `${server.running.urls.api}/docs/`),
      streaming: false,
      features_off: [],
    });
  });
});

it('a server whose console is being built says so, with a page that loads anew by itself', async () => {
  const place = join(folder, 'coming');
  await writeFile(`${place}.building`, String(process.pid));
  const coming = await startTestServer({ consoleFolder: place });
  for (const door of ['api', 'operator'] as const) {
    const address = `${coming.running.urls[door]}/console/files`;
    const early = await fetch(address);
    expect([early.status, early.headers.get('Retry-After'), early.headers.get('Cache-Control')]).toEqual([
      503,
      '2',
      'no-store',
    ]);
    expect(await early.text()).toMatch(/http-equiv="refresh" content="2"[^]*The console is being built/);
  }
  await mkdir(place);
  await writeFile(join(place, 'index.html'), '<title>Console</title>');
  expect((await fetch(`${coming.running.urls.api}/console/files`)).status).toBe(200);
  // A process that has ended builds nothing any more.
  await rm(place, { recursive: true });
  await writeFile(`${place}.building`, '999999999');
  expect((await fetch(`${coming.running.urls.api}/console/files`)).status).toBe(404);
});

it('a server without a built console says how to build it', async () => {
  const without = await startTestServer({ consoleFolder: join(folder, 'missing') });
  for (const door of ['api', 'operator'] as const) {
    const answer = await fetch(`${without.running.urls[door]}/console/files`);
    expect(answer.status).toBe(404);
    expect(await answer.text()).toContain('npm install --include=dev && npm run console');
    expect((await fetch(`${without.running.urls[door]}/console/config.json`)).status).toBe(200);
  }
});
