import { createHash } from 'node:crypto';
import { globSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { request } from 'node:http';
import { join } from 'node:path';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';

import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { errors } from '#generated/errors.ts';
import { operationsOf, type Json } from '#openapi/codegen/document.ts';
import { s3Meanings } from '#server/features/s3/error-meanings.ts';
import { noChromium, sharedChromium } from '#test/support/chromium.ts';
import { openSearch } from '#test/support/docs-search.ts';
import { startTestServer, type TestServer } from '#test/support/server.ts';

const root = join(import.meta.dirname, '../..');
const site = join(root, 'dist/docs');
const document: Json = JSON.parse(await readFile(join(root, 'generated/openapi.json'), 'utf8'));

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

  it('lets browsers keep files for a year whose name has a hash of their content', async () => {
    const text = await page('/docs/reference/files');
    const names = [...text.matchAll(/(?:src|href)="(\/docs\/assets\/[^"]+\.(?:js|css))"/g)].map(([, name]) => name!);
    expect(names.length).toBeGreaterThan(4);
    for (const name of names) {
      const packed = await get(name, { 'Accept-Encoding': 'br' });
      expect(packed.status, name).toBe(200);
      expect(packed.headers, name).toMatchObject({
        'cache-control': 'public, max-age=31536000, immutable',
        'content-encoding': 'br',
      });
    }
    expect((await get('/docs/assets/app.AAAAAAAA.js')).status).toBe(404);
  });

  it('has no address of the server in a file that browsers keep', async () => {
    const own = Object.values(server.running.urls);
    for (const name of globSync('assets/**/*.js', { cwd: site })) {
      const { headers, body } = await get(`/docs/${name}`);
      const shown = own.filter((address) => body.includes(address));
      expect(body.toString(), name).not.toMatch(/http:\/\/localhost:740[0-3](?!\d)/);
      if (shown.length > 0) expect(headers['cache-control'], name).toBe('no-cache');
    }
  });

  it.each(['/docs/', '/docs/reference', '/docs/reference/files', '/docs/operating', '/docs/errors/INVALID_BODY'])(
    'is readable after less than 100 KB, and works after less than 300 KB, compressed: %s',
    async (path) => {
      const gzip = { 'Accept-Encoding': 'gzip' };
      const html = await get(path, gzip);
      const text = gunzipSync(html.body).toString();
      let readable = html.body.length;
      for (const [, style] of text.matchAll(/<link rel="(?:preload )?stylesheet" href="([^"]+)"/g))
        readable += (await get(style!, gzip)).body.length;
      let all = readable;
      for (const [, script] of text.matchAll(/(?:<script[^>]*\ssrc|<link rel="modulepreload" href)="([^"]+)"/g))
        all += (await get(script!, gzip)).body.length;
      expect(readable).toBeLessThan(100_000);
      expect(all).toBeLessThan(300_000);
    },
  );

  it('runs only scripts that its policy names, and embeds no address in them', async () => {
    for (const name of globSync('**/*.html', { cwd: site })) {
      const text = await readFile(join(site, name), 'utf8');
      const policy = /<meta http-equiv="Content-Security-Policy" content="([^"]+)"/.exec(text)?.[1];
      expect(policy, name).toBeDefined();
      const [scripts = "'none'"] = policy!.match(/script-src [^;]+/) ?? [];
      expect(scripts, name).not.toContain('unsafe');
      for (const [, attributes, script] of text.matchAll(/<script\b([^>]*)>(.*?)<\/script>/gs)) {
        if (/\bsrc=/.test(attributes!)) continue;
        const hash = createHash('sha256').update(script!).digest('base64');
        expect(scripts, name).toContain(`'sha256-${hash}'`);
        expect(script, name).not.toMatch(/localhost:740/);
      }
    }
  });

  it('shows only the addresses of this server', async () => {
    const { api, public: publicHost, s3 } = server.running.urls;
    const objects = await page('/docs/reference/files');
    expect(objects).toContain(`${api}/v1/objects`);
    expect(objects).toContain(`${publicHost}/`);
    expect(await page('/docs/shares')).toContain(api);
    expect(await page('/docs/s3.md')).toContain(s3);
    for (const path of ['reference/files', 'shares', 's3', 's3.md', 'llms.txt', 'contract/files.json'])
      expect(await page(`/docs/${path}`)).not.toMatch(/localhost:740[0-3](?!\d)/);
  });

  it('has every guide, linked from the list of guides, also as Markdown', async () => {
    const names = globSync('docs/**/*.md').map((path) => path.slice('docs/'.length, -'.md'.length));
    expect(names.length).toBeGreaterThanOrEqual(10);
    const overview = await page('/docs/guides');
    for (const name of names.filter((one) => one !== 'README')) {
      expect(overview).toContain(`href="/docs/${name}"`);
      expect(await page(`/docs/${name}`)).toMatch(/<title>[^<]+ – Cubby<\/title>/);
      // The address of earlier versions.
      expect(await page(`/docs/${name}.html`)).toContain('</html>');
      const { headers, body } = await get(`/docs/${name}.md`);
      expect(headers['content-type']).toBe('text/markdown; charset=utf-8');
      expect(body.toString()).toMatch(/^# /);
    }
  });

  it('has every operation, with its errors and a sample in each language', async () => {
    for (const { id, tag, spec } of operationsOf(document)) {
      const text = await page(`/docs/reference/${tag}`);
      expect(text, id).toContain(`id="${id.toLowerCase()}"`);
      expect(text, id).toContain(`id="${id.toLowerCase()}-response"`);
      const markdown = await page(`/docs/reference/${tag}.md`);
      expect(markdown, id).toContain(`## <a id="${id.toLowerCase()}"></a>${spec.summary}\n`);
      expect(await page('/docs/reference')).toContain(`href="/docs/reference/${tag}#${id.toLowerCase()}"`);
    }
    expect(await page('/docs/llms.txt')).toContain('/docs/reference/files.md');
  });

  it('shows readers a page where there is none, and programs the error of the API', async () => {
    const read = await get('/docs/nothing/here', { Accept: 'text/html,application/xhtml+xml,*/*;q=0.8' });
    expect([read.status, read.headers['content-type']]).toEqual([404, 'text/html; charset=utf-8']);
    expect(read.body.toString()).toContain('There is no such page');
    const programs = await get('/docs/nothing/here');
    expect([programs.status, JSON.parse(programs.body.toString()).code]).toEqual([404, 'NOT_FOUND']);
  });

  it('has a page for every error code, with its status, its message and its operations', async () => {
    const overview = await page('/docs/errors');
    expect((await get('/docs/errors/')).headers.location).toBe('/docs/errors');
    for (const table of Object.values(errors)) {
      for (const [code, { status, message }] of Object.entries(table)) {
        expect(overview, code).toContain(`<code>${code}</code>`);
        const text = await page(`/docs/errors/${code}`);
        expect(text, code).toContain(`<strong>Status</strong>: ${status}`);
        expect(await page(`/docs/errors/${code.toUpperCase()}.md`), code).toContain(message);
        expect(text, code).toMatch(/<li><a href="[^"]*\/reference\/[\w-]+#\w+"|Requests that reach no operation/);
      }
    }
    expect((await get('/docs/errors/NO_SUCH_CODE')).status).toBe(404);
  });

  it('is where every error response points to, from each host', async () => {
    const { api } = server.running.urls;
    for (const [door, path, code] of [
      ['api', '/v1/objects', 'ACCESS_DENIED'],
      ['api', '/nothing', 'NOT_FOUND'],
      ['api', '/v2/ai/models', 'ACCESS_DENIED'],
      ['api', '/v2/git/webhook/unknown', 'METHOD_NOT_ALLOWED'],
      ['files', '/d/unknown', 'LINK_NOT_FOUND'],
      ['files', '/s/unknown', 'SHARE_NOT_FOUND'],
      ['public', '/1/unknown.txt', 'FILE_NOT_FOUND'],
    ] as const) {
      const { headers } = await server.send(path, { door });
      const address = `${door === 'api' ? '' : api}/docs/errors/${code}`;
      expect(headers.get('link'), path).toBe(`<${address}>; rel="help"`);
      expect((await get(`/docs/errors/${code}`)).status, code).toBe(200);
    }
  });

  it('has every code of the S3 gateway, to which its errors point', async () => {
    const { headers } = await server.send('/private', { door: 's3' });
    const address = /^<(.*)>; rel="help"$/.exec(headers.get('link')!)![1]!;
    expect(address).toBe(`${server.running.urls.api}/docs/s3-errors#accessdenied`);
    const text = await page('/docs/s3-errors');
    for (const code of Object.keys(s3Meanings)) expect(text, code).toContain(`id="${code.toLowerCase()}"`);
  });

  it('has no dead link', async () => {
    const seen = new Set<string>();
    const dead: string[] = [];
    const anchorsOf = (text: string) => new Set([...text.matchAll(/\sid="([^"]+)"/g)].map(([, id]) => id!));
    const anchors = new Map<string, ReadonlySet<string>>();
    const wanted: Array<readonly [from: string, path: string, anchor: string]> = [];
    const visit = async (path: string): Promise<void> => {
      if (seen.has(path)) return;
      seen.add(path);
      const { status, body, headers } = await get(path);
      if (status >= 400) return void dead.push(path);
      if (!String(headers['content-type']).startsWith('text/html')) return;
      const text = body.toString();
      anchors.set(path, anchorsOf(text));
      for (const [, href] of text.matchAll(/<(?:a|link)\b[^>]*?\shref="([^"]+)"/g)) {
        const to = new URL(href!.replaceAll('&amp;', '&'), `http://any${path}`);
        if (to.host !== 'any' || to.protocol !== 'http:') continue;
        if (to.hash) wanted.push([path, to.pathname, decodeURIComponent(to.hash.slice(1))]);
        if (to.pathname.startsWith('/docs/')) await visit(to.pathname);
      }
    };
    for (const start of ['/docs/', '/docs/guides', '/docs/errors', '/docs/upload-demo']) await visit(start);
    for (const [from, path, anchor] of wanted)
      if (!anchors.get(path)?.has(anchor)) dead.push(`${from} → ${path}#${anchor}`);
    expect(seen.size).toBeGreaterThan(100);
    expect([...new Set(dead)]).toEqual([]);
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

    /** A page, all its requested addresses and all its reported errors. */
    async function watched(): Promise<{ shown: Page; outside: () => string[]; complaints: string[] }> {
      const shown = await browser.newPage({ viewport: { width: 1440, height: 1000 } });
      const requests: string[] = [];
      const complaints: string[] = [];
      shown.on('request', (request) => requests.push(request.url()));
      shown.on('pageerror', (error) => complaints.push(String(error)));
      // Violations of the content security policy are console errors too.
      shown.on('console', (message) => {
        if (['error', 'warning'].includes(message.type())) complaints.push(message.text());
      });
      const own = new URL(server.running.urls.api).host;
      const outside = () =>
        requests.filter((address) => !/^(data|blob):/.test(address) && new URL(address).host !== own);
      return { shown, outside, complaints };
    }

    it('works without console errors or other hosts, from a guide to an operation and its error code', async () => {
      const { shown, outside, complaints } = await watched();
      const { api } = server.running.urls;
      await shown.goto(`${api}/docs/`);
      await shown.getByRole('link', { name: 'Running Cubby' }).first().click();
      await shown.getByRole('heading', { name: 'Running Cubby' }).waitFor();
      await shown.getByRole('link', { name: 'API reference' }).first().click();
      await shown.getByRole('link', { name: 'Upload one file' }).first().click();
      await shown.getByRole('heading', { name: 'Upload one file' }).waitFor();
      expect(await shown.locator('body').innerText()).toContain(`${api}/v1/objects?name=`);
      await shown.getByRole('link', { name: 'INVALID_FILE', exact: true }).first().click();
      await shown.locator('h1', { hasText: 'INVALID_FILE' }).waitFor();
      expect(outside()).toEqual([]);
      expect(complaints).toEqual([]);
      await shown.close();
    });

    it('opens at odd fragments, and with a kept key, without console errors', async () => {
      const { shown, complaints } = await watched();
      const address = `${server.running.urls.api}/docs/reference/shares`;
      for (const fragment of ['%', '%E0%A4%A', '"><img src=x onerror=alert(1)>', '[object', 'a'.repeat(5000)]) {
        await shown.goto('about:blank');
        await shown.goto(`${address}#${fragment}`);
        await shown.getByRole('button', { name: 'Try it' }).first().click();
        await shown.getByRole('button', { name: 'Send', exact: true }).waitFor();
        expect(complaints, fragment).toEqual([]);
      }
      await shown.goto(`${address}#createshare`);
      await shown.getByLabel('Your key').fill('cbk_kept');
      await shown.reload();
      await expect.poll(() => shown.getByLabel('Your key').inputValue()).toBe('cbk_kept');
      expect(complaints).toEqual([]);
      await shown.close();
    });

    it('finds operations, error codes and guides with one search, and shows the text around the words', async () => {
      const { shown, outside, complaints } = await watched();
      await shown.goto(`${server.running.urls.api}/docs/`);
      for (const [words, address, excerpt] of [
        ['upload one file', '/docs/reference/files#uploadobject', 'multipart/form-data'],
        ['STORAGE_QUOTA_EXCEEDED', '/docs/errors/STORAGE_QUOTA_EXCEEDED', 'quota'],
        ['master key lost', '/docs/operating', 'master'],
      ] as const) {
        await (await openSearch(shown)).fill(words);
        const result = shown.locator(`.VPLocalSearchBox a.result[href^="${address}"]`).first();
        await result.waitFor();
        await expect.poll(() => result.innerText()).toContain(excerpt);
        await shown.keyboard.press('Escape');
      }
      expect(outside()).toEqual([]);
      expect(complaints).toEqual([]);
      await shown.close();
    });

    it('shows the line of a section that has the most of the words, without console errors', async () => {
      const { shown, complaints } = await watched();
      await shown.goto(`${server.running.urls.api}/docs/`);
      await (await openSearch(shown)).fill('leaked key database 20 seconds');
      const excerpt = shown.locator(
        '.VPLocalSearchBox a.result[href="/docs/operating/master-key#rotate-the-master-key"] .excerpt',
      );
      await excerpt.locator('mark').first().waitFor();
      const isShown = () =>
        excerpt.evaluate((box) => {
          const line = [...box.querySelectorAll('li')].find(({ textContent }) =>
            textContent.includes('for 20 seconds'),
          )!;
          const { top, bottom } = box.getBoundingClientRect();
          const at = line.getBoundingClientRect();
          return at.top >= top && at.bottom <= bottom;
        });
      await expect.poll(isShown).toBe(true);
      expect(complaints).toEqual([]);
      await shown.close();
    });

    it('shows a tag in Redoc, without console errors or other hosts', async () => {
      const { shown, outside, complaints } = await watched();
      await shown.goto(`${server.running.urls.api}/docs/reference/files`);
      await shown.getByRole('link', { name: 'open it in Redoc' }).click();
      await shown.getByText('/v1/objects/info').first().waitFor();
      await shown.goto(`${shown.url()}#/files/uploadobject`);
      await shown.getByRole('heading', { name: 'Upload one file' }).first().waitFor();
      expect(outside()).toEqual([]);
      expect(complaints).toEqual([]);
      await shown.close();
    });
  },
);
