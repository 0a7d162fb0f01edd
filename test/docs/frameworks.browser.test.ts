import { readFile, writeFile } from 'node:fs/promises';
import type { RequestListener } from 'node:http';
import { join } from 'node:path';

import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';

import { noChromium, sharedChromium } from '#test/support/chromium.ts';
import { needPackages } from '#test/support/need-programs.ts';
import { because } from '#test/support/programs.ts';
import { startTestServer, type TestAccount, type TestServer } from '#test/support/server.ts';
import { bundleForBrowser, importForServer, startPage, writePage } from './framework-code.ts';

describe.skipIf(noChromium)(`the pages of frameworks, in a browser${because(noChromium)}`, () => {
  let server: TestServer;
  let account: TestAccount;
  let browser: Browser;
  /** What a test serves beside the API. */
  let pages: ReadonlyMap<string, readonly [type: string, body: string]> = new Map();
  const door =
    (_name: string, real: RequestListener): RequestListener =>
    (req, res) => {
      const page = pages.get(req.url!);
      if (page === undefined) return real(req, res);
      res.writeHead(200, { 'Content-Type': page[0] }).end(page[1]);
    };
  beforeAll(async () => {
    server = await startTestServer({ door });
    account = await server.account();
    browser = await sharedChromium();
  });
  afterAll(async () => {
    await browser.close();
    await server.stop();
  });

  async function open(address: string): Promise<{ readonly page: Page; readonly complaints: string[] }> {
    const page = await browser.newPage();
    onTestFinished(() => page.close());
    const complaints: string[] = [];
    page.on('pageerror', (error) => complaints.push(String(error)));
    page.on('console', (message) => {
      const isOurs = ['error', 'warning'].includes(message.type()) && !message.text().includes('favicon');
      if (isOurs) complaints.push(`${message.text()} ${message.location().url}`);
    });
    await page.goto(address);
    return { page, complaints };
  }

  const note = { name: 'note.txt', mimeType: 'text/plain', buffer: Buffer.from('A note. '.repeat(200)) };
  const choose = (page: Page) => page.locator('cubby-upload input[type=file]').first().setInputFiles(note);

  it('express: a file that is dropped appears in the list, and its link opens it', async () => {
    const environment = { CUBBY_URL: server.running.urls.api, CUBBY_KEY: account.credential };
    const address = await startPage('express', environment);
    const { page, complaints } = await open(address);
    await choose(page);
    const link = page.getByRole('link', { name: 'note.txt' });
    await link.waitFor();
    expect(await page.content()).not.toContain(account.credential);
    const opened = await fetch(new URL((await link.getAttribute('href'))!, address));
    expect(Buffer.from(await opened.arrayBuffer())).toEqual(note.buffer);
    expect(complaints.filter((text) => !text.includes('favicon'))).toEqual([]);
  });

  it('nextjs: an element that came from the server uploads, and the page hears of it', async () => {
    needPackages('react', 'react-dom');
    const { api } = server.running.urls;
    const folder = await writePage('nextjs');
    await writeFile(
      join(folder, 'render.tsx'),
      `import { renderToString } from 'react-dom/server';
      import { Upload } from './app/files/upload';
      export const html = renderToString(<Upload cubby="${api}" />);`,
    );
    await writeFile(
      join(folder, 'hydrate.tsx'),
      `import { hydrateRoot } from 'react-dom/client';
      import { Upload } from './app/files/upload';
      hydrateRoot(document.querySelector('#app'), <Upload cubby="${api}" />);`,
    );
    const [{ html }] = await importForServer(folder, ['render.tsx']);
    const answer = await server.send('/v1/upload-tokens', {
      method: 'POST',
      credential: account.credential,
      body: JSON.stringify({ prefix: 'inbox', private: true, max_uses: 2 }),
    });
    const head = '<!doctype html><meta charset="utf-8"><link rel="icon" href="data:,"><title>Files</title>';
    const body = `<div id="app">${html}</div><script type="module" src="/program.js"></script>`;
    pages = new Map([
      ['/files', ['text/html', head + body]],
      ['/program.js', ['text/javascript', await readFile(await bundleForBrowser(folder, 'hydrate.tsx'), 'utf8')]],
      ['/api/upload-token', ['application/json', JSON.stringify(answer.json().response)]],
    ]);
    const { page, complaints } = await open(`${api}/files`);
    await choose(page);
    await expect.poll(() => page.evaluate('globalThis.refreshes')).toBe(1);
    const listed = await server.send('/v1/objects?prefix=inbox&private=true', { credential: account.credential });
    expect(listed.json().response.objects.length).toBeGreaterThan(0);
    expect(complaints).toEqual([]);
  });
});
