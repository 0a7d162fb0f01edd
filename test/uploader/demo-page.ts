import type { RequestListener } from 'node:http';

import type { Browser, BrowserContext, Page } from 'playwright-core';

import { startTestServer, type TestAccount, type TestServer } from '#test/support/server.ts';

/** The demo page of a real server that records each received part. */
export interface DemoServer {
  readonly server: TestServer;
  readonly account: TestAccount;
  /** The numbers of the parts that were started, in order. */
  readonly parts: number[];
  /** The number of requests that have neither ended nor been cut. */
  underway(): number;
  /**
   * Holds the responses to parts, completions and starts, or only to one method, until the returned function is called.
   */
  hold(method?: string): () => void;
  /** Holds all responses, like a dead connection, until the returned function is called. */
  freeze(): () => void;
  /** Opens the page. With a browser it gets its own context. With a context it shares the records of that context. */
  open(browser: Browser | BrowserContext, options?: Parameters<Browser['newPage']>[0]): Promise<DemoPage>;
  /**
   * Rewrites the document of an open page and runs the demo's script again. The element's modules stay loaded, because
   * loading them takes a second of CPU. The page's storage and globals that a test has set stay too.
   */
  renew(open: DemoPage): Promise<void>;
}

export interface DemoPage {
  readonly page: Page;
  /** Errors and warnings of the page, including violations of its policy. */
  readonly complaints: string[];
  /** Requested addresses of other hosts. */
  readonly strangers: string[];
}

/** The events that tests listen to. */
const heard = ['pageerror', 'console', 'request', 'response'] as const;

/** Starts the real server with a front that can hold requests. The caller stops it. */
export async function startDemoServer(): Promise<DemoServer> {
  const parts: number[] = [];
  let underway = 0;
  let held: Promise<void> | undefined;
  let frozen: Promise<void> | undefined;
  let heldMethods = ['PUT', 'PATCH', 'POST'];
  const door =
    (_name: string, real: RequestListener): RequestListener =>
    async (req, res) => {
      underway++;
      res.once('close', () => underway--);
      const { pathname, searchParams } = new URL(req.url!, 'http://any');
      // Otherwise the server compresses each of the sixty modules at its first request.
      if (pathname.startsWith('/docs/')) delete req.headers['accept-encoding'];
      if (pathname === '/v1/objects/chunked' && req.method === 'PUT') parts.push(Number(searchParams.get('part')));
      if (pathname.startsWith('/v1/objects') && heldMethods.includes(req.method!)) await held;
      await frozen;
      real(req, res);
    };
  const server = await startTestServer({ door });
  const account = await server.account();
  const text = (await server.send('/docs/upload-demo')).body.toString();
  let renewals = 0;
  const watch = ({ page, complaints, strangers }: DemoPage) => {
    page.on('pageerror', (error) => complaints.push(String(error)));
    page.on('console', (message) => {
      if (message.type() === 'error' || message.type() === 'warning') complaints.push(message.text());
    });
    page.on('request', (request) => {
      if (!request.url().startsWith('data:') && !request.url().startsWith(server.running.urls.api))
        strangers.push(request.url());
    });
  };
  return {
    server,
    account,
    parts,
    underway: () => underway,
    hold(method) {
      heldMethods = method === undefined ? ['PUT', 'PATCH', 'POST'] : [method];
      const { promise, resolve } = Promise.withResolvers<void>();
      held = promise;
      return () => {
        held = undefined;
        resolve();
      };
    },
    freeze() {
      const { promise, resolve } = Promise.withResolvers<void>();
      frozen = promise;
      return () => {
        frozen = undefined;
        resolve();
      };
    },
    async open(browser, options) {
      const page = await ('newContext' in browser ? browser.newPage(options) : browser.newPage());
      const open = { page, complaints: [], strangers: [] };
      watch(open);
      await page.goto(`${server.running.urls.api}/docs/upload-demo`);
      await page.getByLabel('API key or upload token').fill(account.credential);
      return open;
    },
    async renew(open) {
      const { page } = open;
      for (const name of heard) page.removeAllListeners(name);
      await page.unrouteAll();
      await page.evaluate(() => (globalThis as any).document.querySelector('cubby-upload')?.remove());
      // The same module under another address runs again.
      await page.setContent(text.replace('demo.js', `demo.js?again=${++renewals}`));
      await page.evaluate(
        (credential) => void ((globalThis as any).document.querySelector('#credential').value = credential),
        account.credential,
      );
      open.complaints.length = open.strangers.length = 0;
      watch(open);
    },
  };
}
