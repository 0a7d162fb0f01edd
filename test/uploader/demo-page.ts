import type { RequestListener } from 'node:http';

import type { Browser, BrowserContext, Page } from 'playwright-core';

import { startTestServer, type TestAccount, type TestServer } from '#test/support/server.ts';

/** The demo page of a real server, which sees each part that comes in. */
export interface DemoServer {
  readonly server: TestServer;
  readonly account: TestAccount;
  /** Numbers of the parts that were begun, in their order. */
  readonly parts: number[];
  /** The number of requests that are neither answered nor broken off. */
  underway(): number;
  /** Keeps parts, completions and starts from being answered, or those with one method, until it is let go. */
  hold(method?: string): () => void;
  /** Keeps everything from being answered, as a line does that leads nowhere, until it is let go. */
  freeze(): () => void;
  /** In a browser the page has a context of its own; in a context it shares its records. */
  open(browser: Browser | BrowserContext, options?: Parameters<Browser['newPage']>[0]): Promise<DemoPage>;
  /**
   * Writes the document of an open page anew, and runs the script of the demo once more. The modules of the element
   * stay, because loading them takes a second of CPU. What a test set as a global stays too, and what the page has
   * stored.
   */
  renew(open: DemoPage): Promise<void>;
}

export interface DemoPage {
  readonly page: Page;
  /** Errors and warnings of the page: violations of its policy are among them. */
  readonly complaints: string[];
  /** Addresses of other hosts that it asked. */
  readonly strangers: string[];
}

/** What tests listen to. */
const heard = ['pageerror', 'console', 'request', 'response'] as const;

/** Starts the real server in front of which requests can be held back. Whoever starts it stops it. */
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
      // A server compresses each of the sixty modules when it is first asked for it.
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
      // The same module under another address is another one.
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
