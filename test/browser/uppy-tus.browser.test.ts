import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';

import type { Browser, Page } from 'playwright-core';
import { build } from 'vite';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { cuttingProxy, type CuttingProxy } from '#test/flows/uploads/cutting-proxy.ts';
import { noChromium, sharedChromium } from '#test/support/chromium.ts';
import { noPackage } from '#test/support/packages.ts';
import { because } from '#test/support/programs.ts';
import { startTestServer, type TestAccount, type TestServer } from '#test/support/server.ts';
import { tokenOf } from '#test/support/upload-tokens.ts';

const missing = noChromium ?? noPackage('@uppy/core', '@uppy/tus');

/** The program of the page, as its author would write it: Uppy and its tus plugin, and nothing of ours. */
const program = `
import Uppy from '@uppy/core';
import Tus from '@uppy/tus';

globalThis.uploadAll = async ({ endpoint, token, sizes }) => {
  const uppy = new Uppy({ logger: { debug() {}, warn() {}, error() {} } });
  uppy.use(Tus, { endpoint, headers: { Authorization: 'Bearer ' + token }, retryDelays: [10, 50, 100, 500, 1000, 3000] });
  const sums = {};
  for (const [index, size] of sizes.entries()) {
    const bytes = new Uint8Array(size).map((_, at) => (at * 31 + index) % 251);
    const name = 'Foto ' + index + ' (äöü).jpg';
    const hash = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes));
    sums[name] = Array.from(hash, (byte) => byte.toString(16).padStart(2, '0')).join('');
    uppy.addFile({ name, type: 'image/jpeg', data: new File([bytes], name) });
  }
  const { successful, failed } = await uppy.upload();
  return {
    failed: failed.map(({ error }) => error),
    uploaded: successful.map(({ name, uploadURL }) => ({ sha256: sums[name], uploadURL })),
  };
};
`;

/** Bundles the program as an application would. */
async function bundled(): Promise<string> {
  const id = 'virtual:program';
  const result = await build({
    root: join(import.meta.dirname, '../..'),
    configFile: false,
    logLevel: 'silent',
    publicDir: false,
    plugins: [
      {
        name: 'program',
        resolveId: (asked) => (asked === id ? join(import.meta.dirname, 'program.js') : undefined),
        load: (asked) => (asked === join(import.meta.dirname, 'program.js') ? program : undefined),
      },
    ],
    build: { write: false, minify: false, rolldownOptions: { input: id } },
  });
  const { output } = [result].flat()[0] as { readonly output: ReadonlyArray<{ readonly code?: string }> };
  return output[0]!.code!;
}

describe.skipIf(missing)(`Uppy with its own tus plugin in a browser${because(missing)}`, () => {
  let server: TestServer;
  let account: TestAccount;
  let pages: Server;
  let browser: Browser;
  let page: Page;
  let proxy: CuttingProxy;

  beforeAll(async () => {
    server = await startTestServer({ rateLimits: true });
    account = await server.account();
    proxy = await cuttingProxy(server.running.urls.base, 2);
    const code = await bundled();
    pages = createServer((req, res) => {
      const isCode = req.url === '/program.js';
      res.writeHead(200, { 'Content-Type': isCode ? 'text/javascript' : 'text/html; charset=utf-8' });
      res.end(isCode ? code : '<!doctype html><title>App</title><script type="module" src="/program.js"></script>');
    });
    await new Promise<void>((listening) => pages.listen(0, '127.0.0.1', listening));
    browser = await sharedChromium();
    page = await browser.newPage();
    await page.goto(`http://127.0.0.1:${(pages.address() as AddressInfo).port}`);
    await page.waitForFunction('globalThis.uploadAll !== undefined');
  });
  afterAll(async () => {
    await browser?.close();
    pages?.close();
    await proxy?.close();
    await server?.stop();
  });

  test('uploads twenty files at once from another origin, through broken connections', async () => {
    const sizes = Array.from({ length: 20 }, (_, index) => (index < 2 ? 3_000_000 : 5000 + index));
    const token = await tokenOf(server, account, { max_uses: sizes.length });
    const endpoint = `${proxy.url}/v1/uploads?prefix=uppy`;
    const result: any = await page.evaluate((asked) => (globalThis as any).uploadAll(asked), {
      endpoint,
      token,
      sizes,
    });
    expect(result.failed).toEqual([]);
    expect(result.uploaded).toHaveLength(sizes.length);
    for (const { sha256, uploadURL } of result.uploaded) {
      const { credential } = account;
      const asked = await server.send(new URL(uploadURL).pathname, { method: 'HEAD', credential });
      const id = asked.headers.get('x-cubby-object')!;
      expect(id).toMatch(/\/uppy\/Foto-\d+-aou-[0-9a-f]{8}_\w+\.jpg$/);
      const info = (await server.send(`/v1/objects/info?object=${id}`, { credential })).json().response;
      expect(info.sha256).toBe(sha256);
      expect(info.original_name).toMatch(/^Foto \d+ \(äöü\)\.jpg$/);
    }
    expect(proxy.cuts).toBeGreaterThan(0);
  });
});
