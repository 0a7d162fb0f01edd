import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { extname, join } from 'node:path';

import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { sharedChromium, noChromium } from '#test/support/chromium.ts';
import { isFresh } from '#openapi/build/docs.ts';
import { operationsOf, type Json } from '#openapi/codegen/document.ts';

const generated = join(import.meta.dirname, '../../generated');
const document: Json = JSON.parse(await readFile(join(generated, 'openapi.json'), 'utf8'));
const types: Record<string, string> = {
  '.html': 'text/html',
  '.json': 'application/json',
  '.yaml': 'application/yaml',
};

let folder: string;
let site: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'cubby-docs-'));
  site = join(folder, 'docs');
  // The site that was built before all tests.
  await cp(join(import.meta.dirname, '../../dist/docs'), site, { recursive: true });
});
afterAll(() => rm(folder, { recursive: true, force: true }));

describe('the documentation site', () => {
  test('has the contract beside it, byte for byte', async () => {
    for (const name of ['openapi.json', 'openapi.yaml']) {
      expect(await readFile(join(site, name), 'utf8')).toBe(await readFile(join(generated, name), 'utf8'));
    }
  });

  test('isFresh() is true until the sources change or the site is missing', async () => {
    expect(await isFresh(site)).toBe(true);
    expect(await isFresh(join(folder, 'nowhere'))).toBe(false);
    const madeFrom = join(site, 'made-from.txt');
    const kept = await readFile(madeFrom);
    await writeFile(madeFrom, 'an older contract');
    expect(await isFresh(site)).toBe(false);
    await writeFile(madeFrom, kept);
  });
});

describe.skipIf(noChromium)(
  `the documentation site in a browser${noChromium ? ` (skipped: ${noChromium})` : ''}`,
  () => {
    let server: Server;
    let base: string;
    let browser: Browser;

    beforeAll(async () => {
      server = createServer(async (req, res) => {
        const { pathname } = new URL(req.url!, 'http://any');
        const name = pathname === '/docs/' ? 'index.html' : pathname.slice('/docs/'.length);
        const bytes = await readFile(join(site, name)).catch(() => undefined);
        res
          .writeHead(bytes ? 200 : 404, { 'content-type': `${types[extname(name)] ?? 'text/plain'}; charset=utf-8` })
          .end(bytes);
      });
      await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
      base = `http://127.0.0.1:${(server.address() as AddressInfo).port}/docs/`;
      browser = await sharedChromium();
    });
    afterAll(async () => {
      await browser?.close();
      server?.close();
    });

    /** A page, all its requested addresses and all its reported errors. */
    async function watched(): Promise<{ page: Page; requests: string[]; complaints: string[] }> {
      const page = await browser.newPage({ viewport: { width: 1440, height: 1000 } });
      const requests: string[] = [];
      const complaints: string[] = [];
      page.on('request', (request) => requests.push(request.url()));
      page.on('pageerror', (error) => complaints.push(String(error)));
      // Violations of the content security policy are console errors too.
      page.on('console', (message) => {
        if (message.type() === 'error' || message.type() === 'warning') complaints.push(message.text());
      });
      return { page, requests, complaints };
    }

    test('shows the operations, asks no other host, and has a policy that would block it', async () => {
      const { page, requests, complaints } = await watched();
      await page.goto(base);
      // The landing page links to the contract and to the operations.
      const contracts = page.locator('a[href^="openapi."]');
      await contracts.first().waitFor();
      expect(await contracts.evaluateAll((links) => links.map((link) => link.getAttribute('href')))).toEqual(
        expect.arrayContaining(['openapi.yaml', 'openapi.json']),
      );
      await page.getByRole('link', { name: 'Upload one file' }).first().click();
      await page.getByRole('heading', { name: 'Upload one file' }).first().waitFor();
      await page.getByText('-F file=@picture.png').first().waitFor();

      // The menu has all tags, and shows their operations when opened.
      const menu = page.locator('.menu-content');
      const byTag = Map.groupBy(operationsOf(document), (operation) => operation.tag);
      const named = await menu.innerText();
      for (const name of ['Files', 'Chunked uploads', 'Share links', 'Fetching files', 'AI gateway', 'Operations'])
        expect(named).toContain(name);
      for (const tag of ['objects', 'delivery', 'operations']) {
        await page.goto(`${base}#/${tag}`);
        for (const { spec } of byTag.get(tag)!) await menu.getByText(spec.summary, { exact: true }).first().waitFor();
      }

      // Parts that Redoc loads late: search, other colours, and the narrow menu with another logo.
      await page.keyboard.press('Control+k');
      await page.keyboard.type('readiness');
      await page.getByText('Check that the process can serve').last().waitFor();
      await page.keyboard.press('Escape');
      await menu.getByRole('button', { name: /^(light|dark)$/ }).click();
      await menu.getByRole('button', { name: 'Hide sidebar' }).click();
      await page.getByRole('button', { name: 'Show sidebar' }).waitFor();

      const own = new URL(base).host;
      const outside = requests.filter((address) => !/^(data|blob):/.test(address) && new URL(address).host !== own);
      expect(outside).toEqual([]);
      expect(complaints).toEqual([]);
      await page.close();
    });

    test('works as a file on the disk, without a server', async () => {
      const { page, requests, complaints } = await watched();
      await page.goto(`file://${join(site, 'index.html')}#/objects/listobjects`);
      await page.getByRole('heading', { name: 'List files' }).first().waitFor();
      expect(requests.filter((address) => !/^(file|data|blob):/.test(address))).toEqual([]);
      expect(complaints).toEqual([]);
      await page.close();
    });
  },
);
