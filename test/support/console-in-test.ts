import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, beforeEach } from 'vitest';

import { sharedChromium } from './chromium.ts';
import { TestClock } from './clock.ts';
import { startTestServer, type TestAccount, type TestServer } from './server.ts';

/* A server with a browser, and an account. A file that calls `withConsole()` gets a new account for each test. */

export let server: TestServer;
export let browser: Browser;
export let account: TestAccount;

export function withConsole(): void {
  beforeAll(async () => {
    [server, browser] = await Promise.all([startTestServer({ clock: new TestClock(Date.now()) }), sharedChromium()]);
  });
  afterAll(async () => {
    await Promise.all([server?.stop(), browser?.close()]);
  });
  beforeEach(async () => {
    account = await server.account('pro');
  });
}
