import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname, join } from 'node:path';

import { listObjects, uploadObject } from 'cubby-server/client';
import { setupServer } from 'msw/node';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { build } from 'vite';

import { noChromium } from '#test/support/chromium.ts';
import { programEnv } from '#test/support/command.ts';
import { needPackages } from '#test/support/need-programs.ts';
import { blocksOf } from './guide-code.ts';

const root = join(import.meta.dirname, '../..');
const files = blocksOf('testing.md').flatMap(({ file, code }) => (file === undefined ? [] : [{ file, code }]));

/** Stands for the addon of Storybook, which is not installed here. */
const addon = `export const initialize = () => {};\nexport const mswLoader = async () => ({});\n`;

/** Stands for Playwright's test runner: its fixtures have the form of Vitest's. */
const playwright = `
import { test as base } from 'vitest';
import { launchChromium } from '${join(root, 'test/support/chromium.ts')}';

export const test = base.extend({
  browser: [
    async ({}, use) => {
      const browser = await launchChromium();
      await use(browser);
      await browser.close();
    },
    { scope: 'worker' },
  ],
  page: async ({ browser }, use) => {
    const context = await browser.newContext({ baseURL: process.env.PAGE_ORIGIN });
    const page = await context.newPage();
    page.setDefaultTimeout(15000);
    await use(page);
    await context.close();
  },
});
`;

const config = (folder: string) => `
export default {
  root: ${JSON.stringify(folder)},
  resolve: {
    alias: {
      '@playwright/test': ${JSON.stringify(join(folder, 'playwright.mjs'))},
    },
  },
  test: {
    include: ${JSON.stringify(noChromium ? ['*.test.ts'] : ['*.test.ts', '*.spec.ts'])},
    testTimeout: 60000,
    hookTimeout: 60000,
  },
};
`;

const types: Readonly<Record<string, string>> = { '.html': 'text/html', '.js': 'text/javascript', '.css': 'text/css' };

describe('docs/testing.md', () => {
  let folder: string;
  let pages: Server;
  let origin: string;
  beforeAll(async () => {
    await mkdir(join(root, 'dist'), { recursive: true });
    // Within the repository, so that its packages are found.
    folder = await mkdtemp(join(root, 'dist/guide-'));
    for (const { file, code } of files) await writeFile(join(folder, file), code);
    await writeFile(join(folder, 'playwright.mjs'), playwright);
    await writeFile(join(folder, 'vitest.config.mjs'), config(folder));
    await mkdir(join(folder, 'node_modules/msw-storybook-addon'), { recursive: true });
    await writeFile(join(folder, 'node_modules/msw-storybook-addon/index.js'), addon);
    await writeFile(
      join(folder, 'node_modules/msw-storybook-addon/package.json'),
      '{ "name": "msw-storybook-addon", "type": "module", "main": "index.js" }',
    );
    const outDir = join(folder, 'page');
    await build({
      root: join(root, 'examples/photo-drop'),
      base: './',
      logLevel: 'warn',
      build: { outDir, emptyOutDir: true },
    });
    pages = createServer((req, res) => {
      const name = req.url === '/' ? '/index.html' : req.url!;
      readFile(join(outDir, name)).then(
        (bytes) => res.writeHead(200, { 'Content-Type': types[extname(name)] ?? 'text/plain' }).end(bytes),
        () => res.writeHead(404).end(),
      );
    });
    await new Promise<void>((listening) => pages.listen(0, '127.0.0.1', listening));
    origin = `http://127.0.0.1:${(pages.address() as AddressInfo).port}`;
  });
  afterAll(async () => {
    pages?.close();
    await rm(folder, { recursive: true, force: true });
  });

  it(`has tests that pass as they stand${noChromium ? ` (without Playwright: ${noChromium})` : ''}`, async () => {
    needPackages('msw');
    const child = spawn(
      process.execPath,
      [join(root, 'node_modules/vitest/vitest.mjs'), 'run', '--config', join(folder, 'vitest.config.mjs')],
      {
        cwd: folder,
        env: { ...programEnv, HOME: folder, PAGE_ORIGIN: origin, NO_COLOR: '1' },
        stdio: ['ignore', 'pipe', 'pipe'],
      },
    );
    let printed = '';
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (text: string) => (printed += text));
    const [code] = await once(child, 'close');
    expect(code, printed).toBe(0);
    const wanted = files.filter(
      ({ file }) => /\.(test|spec)\.ts$/.test(file) && !(noChromium && file.endsWith('.spec.ts')),
    );
    expect(printed).toMatch(new RegExp(`Test Files +${wanted.length} passed`));
  });

  it('has stories for Storybook whose handlers respond as they say', async () => {
    needPackages('msw');
    const load = (file: string) => import(join(folder, file));
    const [{ default: preview }, stories] = await Promise.all([load('preview.ts'), load('album.stories.ts')]);
    const server = { baseUrl: 'https://api.example.com', auth: 'any' };
    const network = setupServer(...preview.parameters.msw.handlers.cubby);
    network.listen();
    try {
      const file = new File(['x'.repeat(600)], 'a.png');
      const upload = () => uploadObject({ ...server, query: { name: 'a' }, body: { file } });
      expect((await upload()).response?.status).toBe(200);
      network.use(...Object.values<any>(stories.Full.parameters.msw.handlers));
      expect((await upload()).error?.code).toBe('STORAGE_QUOTA_EXCEEDED');
      network.use(...Object.values<any>(stories.Empty.parameters.msw.handlers));
      expect((await listObjects(server)).data!.response.objects).toEqual([]);
    } finally {
      network.close();
    }
  });
});
