import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { globSync } from 'node:fs';
import { request } from 'node:http';
import { basename } from 'node:path';

import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { errors } from '#generated/errors.ts';
import { noChromium, sharedChromium } from '#test/support/chromium.ts';
import { startTestServer, type TestServer } from '#test/support/server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.stop());

interface Got {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: Buffer;
}

/** The raw response, because `fetch` would decompress it. */
function get(path: string, headers: Record<string, string> = {}, method = 'GET'): Promise<Got> {
  const { hostname, port } = new URL(server.running.urls.api);
  return new Promise((resolve, reject) => {
    const sent = request({ hostname, port, path, headers, method, agent: false }, async (response) => {
      const chunks: Buffer[] = [];
      for await (const chunk of response) chunks.push(chunk);
      resolve({ status: response.statusCode!, headers: response.headers, body: Buffer.concat(chunks) });
    });
    sent.once('error', reject).end();
  });
}

const page = async (path: string): Promise<string> => {
  const { status, body } = await get(path);
  expect(status, path).toBe(200);
  return body.toString();
};

describe('the documentation over HTTP', () => {
  it.each([
    '/docs/',
    '/docs/openapi.json',
    '/openapi.json',
    '/openapi.yaml',
    '/docs/errors',
    '/docs/operating',
    '/docs/modules/uploader/element/element.js',
  ])('is compressed, and revalidated with its ETag: %s', async (path) => {
    const plain = await get(path);
    expect(plain.headers['content-encoding']).toBeUndefined();
    for (const [encoding, unpack] of [
      ['br', brotliDecompressSync],
      ['gzip', gunzipSync],
    ] as const) {
      const packed = await get(path, { 'Accept-Encoding': `deflate, ${encoding}` });
      expect(packed.headers).toMatchObject({
        'content-encoding': encoding,
        vary: 'Accept-Encoding',
        'cache-control': 'no-cache',
        'content-length': String(packed.body.length),
      });
      expect(packed.body.length).toBeLessThan(plain.body.length);
      expect(unpack(packed.body).equals(plain.body)).toBe(true);
      expect(packed.headers.etag).not.toBe(plain.headers.etag);
      const again = await get(path, { 'Accept-Encoding': encoding, 'If-None-Match': String(packed.headers.etag) });
      expect([again.status, again.body.length, again.headers.vary]).toEqual([304, 0, 'Accept-Encoding']);
    }
    const head = await get(path, { 'Accept-Encoding': 'br;q=0, gzip;q=0.1' }, 'HEAD');
    expect([head.status, head.headers['content-encoding'], head.body.length]).toEqual([200, 'gzip', 0]);
  });

  it('lets browsers keep the script of the reference for a year, under a name with its hash', async () => {
    const reference = await get('/docs/', { 'Accept-Encoding': 'br' });
    const text = brotliDecompressSync(reference.body).toString();
    const [script] = /assets\/reference-[\w-]{22}\.js/.exec(text)!;
    const packed = await get(`/docs/${script}`, { 'Accept-Encoding': 'br' });
    expect(packed.headers).toMatchObject({
      'cache-control': 'public, max-age=31536000, immutable',
      'content-type': 'text/javascript; charset=utf-8',
      'content-encoding': 'br',
    });
    // Earlier versions sent 2.9 MB uncompressed for each page view.
    expect(reference.body.length).toBeLessThan(100_000);
    expect(packed.body.length).toBeLessThan(900_000);
    expect((await get('/docs/assets/reference-AAAAAAAAAAAAAAAAAAAAAA.js')).status).toBe(404);
  });

  it('shows only the addresses of this server', async () => {
    const { api, public: publicHost, s3 } = server.running.urls;
    const text = await page('/docs/');
    const [script] = /assets\/reference-[\w-]{22}\.js/.exec(text)!;
    const code = await page(`/docs/${script}`);
    expect(code).toContain(`${api}/v1/objects`);
    expect(code).toContain(`${publicHost}/`);
    for (const shown of [text, code, await page('/docs/shares'), await page('/docs/s3')])
      expect(shown).not.toMatch(/localhost:740[0-3]/);
    expect(await page('/docs/shares')).toContain(`${api}/v1/shares`);
    expect(await page('/docs/s3')).toContain(s3);
  });

  it('has every guide, linked from the first page', async () => {
    const names = globSync('docs/*.md').map((path) => basename(path, '.md'));
    expect(names.length).toBeGreaterThanOrEqual(10);
    const overview = await page('/docs/guides');
    for (const name of names) {
      expect(overview).toContain(`href="${name}.html"`);
      expect(await page(`/docs/${name}`)).toMatch(/<title>[^<]+ – Cubby<\/title>/);
    }
    const text = await page('/docs/');
    const code = text + (await page(`/docs/${/assets\/reference-[\w-]{22}\.js/.exec(text)![0]}`));
    for (const name of [...names, 'errors', 'upload-demo']) expect(code, name).toContain(`${name}.html`);
  });

  it('has a page for every error code, with its status, its message and its operations', async () => {
    const overview = await page('/docs/errors');
    expect((await get('/docs/errors/')).headers.location).toBe('/docs/errors');
    for (const table of Object.values(errors)) {
      for (const [code, { status, message }] of Object.entries(table)) {
        expect(overview, code).toContain(`<code>${code}</code>`);
        const text = await page(`/docs/errors/${code}`);
        expect(text, code).toContain(`<td>${status}</td>`);
        expect(text, code).toContain(
          message.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;'),
        );
        expect(text, code).toMatch(/<li>(<a href="\.\.\/index\.html#\/[\w-]+\/\w+">|Requests that reach no operation)/);
      }
    }
    expect((await get('/docs/errors/NO_SUCH_CODE')).status).toBe(404);
  });

  it('has no dead link', async () => {
    const seen = new Set<string>();
    const dead: string[] = [];
    const visit = async (path: string): Promise<void> => {
      if (seen.has(path)) return;
      seen.add(path);
      const { status, body, headers } = await get(path);
      if (status >= 400) return void dead.push(path);
      if (!String(headers['content-type']).startsWith('text/html')) return;
      const text = body.toString();
      const anchors = new Set([...text.matchAll(/\sid="([^"]+)"/g)].map(([, id]) => id));
      for (const [, href] of text.matchAll(/<(?:a|link)\b[^>]*?\shref="([^"]+)"/g)) {
        const to = new URL(href!, `http://any${path}`);
        if (to.host !== 'any' || to.protocol !== 'http:') continue;
        if (
          to.pathname === path &&
          to.hash &&
          !to.hash.startsWith('#/') &&
          !anchors.has(decodeURIComponent(to.hash.slice(1)))
        )
          dead.push(`${path}${to.hash}`);
        if (to.pathname.startsWith('/docs/')) await visit(to.pathname);
      }
    };
    for (const start of ['/docs/', '/docs/guides', '/docs/errors', '/docs/upload-demo']) await visit(start);
    expect(seen.size).toBeGreaterThan(100);
    expect(dead).toEqual([]);
  });
});

describe.skipIf(noChromium)(
  `the documentation in a browser, from the server${noChromium ? ` (skipped: ${noChromium})` : ''}`,
  () => {
    let browser: Browser;
    beforeAll(async () => {
      browser = await sharedChromium();
    });
    afterAll(() => browser.close());

    it('works without console errors, from the reference to a guide and an error code', async () => {
      const shown = await browser.newPage();
      const complaints: string[] = [];
      shown.on('pageerror', (error) => complaints.push(String(error)));
      shown.on(
        'console',
        (message) => void (['error', 'warning'].includes(message.type()) && complaints.push(message.text())),
      );
      await shown.goto(`${server.running.urls.api}/docs/#/objects/uploadobject`);
      await shown.getByText('-F file=@picture.png').first().waitFor();
      expect(await shown.locator('body').innerText()).toContain(`${server.running.urls.api}/v1/objects?name=`);
      await shown.goto(`${server.running.urls.api}/docs/errors`);
      await shown.getByRole('link', { name: 'INVALID_BODY', exact: true }).click();
      await shown.getByRole('heading', { name: 'INVALID_BODY' }).waitFor();
      await shown.getByRole('link', { name: 'Guides' }).click();
      await shown.getByRole('link', { name: 'Running Cubby' }).click();
      await shown.getByRole('heading', { name: 'Running Cubby' }).waitFor();
      expect(complaints).toEqual([]);
      await shown.close();
    });
  },
);
