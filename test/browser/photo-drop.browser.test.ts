import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { extname, join } from 'node:path';
import { promisify } from 'node:util';

import { startSandbox } from 'cubby-server/sandbox';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { build } from 'vite';

import { startMock } from '#mocks/mock.ts';
import type { StoryName } from '#mocks/mock/stories.ts';
import { changeAccount } from '#server/domain/account/change-account.ts';
import { axe } from '#test/support/axe.ts';
import { noChromium, sharedChromium } from '#test/support/chromium.ts';
import { needPackages } from '#test/support/need-programs.ts';
import { noPackage } from '#test/support/packages.ts';
import { because } from '#test/support/programs.ts';
import { startTestServer } from '#test/support/server.ts';

const missing = noChromium ?? noPackage('react', 'react-dom');
const root = join(import.meta.dirname, '../..');
const example = join(root, 'examples/photo-drop');
/** A situation that a test needs, by the mock's story of it. */
type Situation = Extract<StoryName, 'one-picture' | 'room-again' | 'key-renewed'>;

/** A server that the page can run against. */
interface Target {
  readonly api: string;
  readonly key: string;
  /** Brings about a situation. Returns a function that ends it, as a person would: more room, another key. */
  bringAbout(situation: Situation, context: BrowserContext): Promise<{ end?(): Promise<void> }>;
  stop(): Promise<void>;
}

const targets: Readonly<Record<string, () => Promise<Target>>> = {
  async 'the stories of the mock'() {
    const mock = await startMock({ port: 0 });
    return {
      api: mock.url,
      key: 'any',
      async bringAbout(situation, context) {
        await context.setExtraHTTPHeaders({ 'X-Mock-Story': `${situation}; run=${randomUUID()}` });
        return {};
      },
      stop: () => mock.close(),
    };
  },

  async 'the sandbox'() {
    const sandbox = await startSandbox();
    return {
      api: sandbox.urls.api,
      key: sandbox.account().credential,
      async bringAbout(situation) {
        await sandbox.reset();
        if (situation === 'room-again')
          await sandbox.failNext({ operation: 'uploadObject', code: 'STORAGE_QUOTA_EXCEEDED' });
        if (situation === 'key-renewed') await sandbox.failNext({ operation: 'listObjects', code: 'ACCESS_DENIED' });
        return {};
      },
      stop: () => sandbox.stop(),
    };
  },

  async 'the real server'() {
    const server = await startTestServer();
    let { id: accountId, credential } = await server.account();
    return {
      api: server.running.urls.api,
      get key() {
        return credential;
      },
      async bringAbout(situation) {
        ({ id: accountId, credential } = await server.account());
        const { stores } = server.running.app;
        if (situation === 'room-again') {
          await changeAccount(stores, { accountId, quotaBytes: 0 });
          return { end: async () => void (await changeAccount(stores, { accountId, quotaBytes: null })) };
        }
        if (situation === 'key-renewed') {
          const right = credential;
          credential = `${right.slice(0, -1)}${right.endsWith('x') ? 'y' : 'x'}`;
          return { end: async () => void (credential = right) };
        }
        return {};
      },
      stop: () => server.stop(),
    };
  },
};

const types: Readonly<Record<string, string>> = { '.html': 'text/html', '.js': 'text/javascript', '.css': 'text/css' };

let folder: string;
let pages: Server;
let origin: string;
let browser: Browser;

/** Bundles the page as its author would, and serves it from an origin of its own. */
async function servePage(): Promise<void> {
  folder = await mkdtemp(join(tmpdir(), 'cubby-photo-drop-'));
  await build({ root: example, base: './', logLevel: 'warn', build: { outDir: folder, emptyOutDir: true } });
  pages = createServer((req, res) => {
    const name = req.url === '/' ? '/index.html' : req.url!;
    readFile(join(folder, name)).then(
      (bytes) => res.writeHead(200, { 'Content-Type': types[extname(name)] ?? 'text/plain' }).end(bytes),
      () => res.writeHead(404).end(),
    );
  });
  await new Promise<void>((listening) => pages.listen(0, '127.0.0.1', listening));
  origin = `http://127.0.0.1:${(pages.address() as AddressInfo).port}`;
}

it('the photo drop compiles', async () => {
  needPackages('@types/react', '@types/react-dom');
  await promisify(execFile)('tsc', ['-p', join(example, 'tsconfig.json')], {
    env: { ...process.env, PATH: `${join(root, 'node_modules/.bin')}:${process.env.PATH}` },
  });
});

describe.skipIf(missing)(`the photo drop${because(missing)}`, () => {
  beforeAll(async () => {
    [browser] = await Promise.all([sharedChromium(), servePage()]);
  });
  afterAll(async () => {
    pages?.close();
    await rm(folder, { recursive: true, force: true });
  });

  describe.each(Object.entries(targets))('against %s', (_name, start) => {
    let target: Target;
    let context: BrowserContext;
    let page: Page;
    beforeAll(async () => {
      target = await start();
    });
    afterAll(() => target.stop());
    afterEach(() => context.close());

    /** Opens the page in a situation. */
    async function open(situation: Situation) {
      context = await browser.newContext();
      const brought = await target.bringAbout(situation, context);
      page = await context.newPage();
      page.setDefaultTimeout(15_000);
      await page.goto(origin);
      return brought;
    }

    async function connect(): Promise<void> {
      await page.getByLabel('Server').fill(target.api);
      await page.getByLabel('API key').fill(target.key);
      await page.getByRole('button', { name: 'Connect' }).click();
    }

    const choose = async (name: string, bytes: Buffer) =>
      page.getByLabel(/Choose photos/).setInputFiles({ name, mimeType: 'image/png', buffer: bytes });
    const picture = () => readFile(join(root, 'docs/cubby.png'));

    /** Waits until the preview of a photo has loaded. */
    async function seePreview(name: string): Promise<void> {
      const image = page.getByRole('img', { name });
      await image.waitFor();
      await expect
        .poll(() => image.evaluate((element) => (element as unknown as { naturalWidth: number }).naturalWidth))
        .toBeGreaterThan(0);
    }

    it('shows an uploaded photo, and deletes it', async () => {
      await open('one-picture');
      await connect();
      await page.getByText('No photos yet.').waitFor();
      await choose('beach.png', await picture());
      await seePreview('beach.png');
      await page.evaluate(axe);
      expect(
        await page.evaluate(`axe.run().then(({ violations }) => violations.map(({ id, help }) => id + ': ' + help))`),
      ).toEqual([]);
      await page.getByRole('button', { name: 'Delete beach.png' }).click();
      await page.getByText('No photos yet.').waitFor();
    });

    it('says why a photo is refused', async () => {
      await open('one-picture');
      await connect();
      await choose('tiny.png', Buffer.from('small'));
      await page.getByRole('alert').getByText('at least 512 bytes').waitFor();
      await page.getByRole('button', { name: 'Dismiss' }).click();
      expect(await page.getByRole('alert').count()).toBe(0);
    });

    it('sends a photo again that did not fit', async () => {
      const { end } = await open('room-again');
      await connect();
      await choose('beach.png', await picture());
      await page.getByRole('alert').getByText('Your storage is full').waitFor();
      await end?.();
      await page.getByRole('button', { name: 'Try again' }).click();
      await seePreview('beach.png');
    });

    it('asks for another key', async () => {
      const { end } = await open('key-renewed');
      await connect();
      await page.getByRole('alert').getByText('The key is not valid').waitFor();
      await end?.();
      await page.getByRole('button', { name: 'Change the key' }).click();
      await connect();
      await page.getByText('No photos yet.').waitFor();
    });
  });
});
