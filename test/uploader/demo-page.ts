import type { RequestListener } from 'node:http';

import type { Browser, Page } from 'playwright-core';

import { startTestServer, type TestAccount, type TestServer } from '#test/support/server.ts';

/** The demo page of a real server, which sees each part that comes in. */
export interface DemoServer {
  readonly server: TestServer;
  readonly account: TestAccount;
  /** Numbers of the parts that were begun, in their order. */
  readonly parts: number[];
  /** Keeps parts and completions from being answered, until it is let go. */
  hold(): () => void;
  open(browser: Browser, options?: Parameters<Browser['newPage']>[0]): Promise<DemoPage>;
}

export interface DemoPage {
  readonly page: Page;
  /** Errors and warnings of the page: violations of its policy are among them. */
  readonly complaints: string[];
  /** Addresses of other hosts that it asked. */
  readonly strangers: string[];
}

/** Starts the real server in front of which requests can be held back. Whoever starts it stops it. */
export async function startDemoServer(): Promise<DemoServer> {
  const parts: number[] = [];
  let held: Promise<void> | undefined;
  const door = (_name: string, real: RequestListener): RequestListener => async (req, res) => {
    const { pathname, searchParams } = new URL(req.url!, 'http://any');
    if (pathname === '/v1/objects/chunked' && req.method === 'PUT') parts.push(Number(searchParams.get('part')));
    if (pathname.startsWith('/v1/objects') && ['PUT', 'PATCH', 'POST'].includes(req.method!)) await held;
    real(req, res);
  };
  const server = await startTestServer({ door });
  const account = await server.account();
  return {
    server,
    account,
    parts,
    hold() {
      const { promise, resolve } = Promise.withResolvers<void>();
      held = promise;
      return () => {
        held = undefined;
        resolve();
      };
    },
    async open(browser, options) {
      const page = await browser.newPage(options);
      const complaints: string[] = [];
      const strangers: string[] = [];
      page.on('pageerror', (error) => complaints.push(String(error)));
      page.on('console', (message) => {
        if (message.type() === 'error' || message.type() === 'warning') complaints.push(message.text());
      });
      page.on('request', (request) => {
        if (!request.url().startsWith('data:') && !request.url().startsWith(server.running.urls.api)) strangers.push(request.url());
      });
      await page.goto(`${server.running.urls.api}/docs/upload-demo`);
      await page.getByLabel('API key or upload token').fill(account.credential);
      return { page, complaints, strangers };
    },
  };
}
