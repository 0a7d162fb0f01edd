import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { noChromium, sharedChromium } from '#test/support/chromium.ts';
import { openConsole, signInWith } from '#test/support/console.ts';
import { upload } from '#test/support/files.ts';
import { startTestServer, type TestServer } from '#test/support/server.ts';

/**
 * "Fast 3G" as Lighthouse simulates it, and as the tools of Chromium apply it: nearly four times the delay for each
 * request. Without chains of requests the second one is not much slower.
 */
const networks = {
  lighthouse: { latency: 150, downloadThroughput: 1_600_000 / 8, uploadThroughput: 750_000 / 8 },
  devtools: { latency: 562.5, downloadThroughput: 1_440_000 / 8, uploadThroughput: 675_000 / 8 },
};
const boundMs = { lighthouse: 2500, devtools: 3500 } as const;

/** Far longer than a page takes. */
const longestMs = 90_000;

/** Says what a page shows in place of an element, and what it waits for. */
async function whatIsThere(page: Page, shown: string, problems: readonly string[]): Promise<string> {
  const requests = (await page.evaluate(requestsOf)) as Loaded['requests'];
  const open = requests.filter(({ end }) => end === 0).map(({ path }) => path);
  return [
    `${page.url()} has no ${shown} after ${longestMs} ms. It shows:`,
    await page.locator('body').innerText(),
    `Problems: ${problems.join('\n') || 'none'}. Loaded: ${requests.map(({ path }) => path).join(' ')}`,
    `Not ended: ${open.join(' ') || 'none'}`,
  ].join('\n');
}

/** Notes when an element can be clicked: it is drawn, and nothing lies above it. */
const watch = (shown: string) => `
  window.usable = new Promise((resolve) => {
    setTimeout(() => resolve(null), ${longestMs});
    const look = () => {
      const button = document.querySelector('${shown}');
      const box = button?.getBoundingClientRect();
      const isOnTop = box?.width > 0 && document.elementFromPoint(box.x + 3, box.y + box.height / 2) === button;
      if (isOnTop) requestAnimationFrame(() => resolve(performance.now()));
      else requestAnimationFrame(look);
    };
    look();
  });
`;

interface Loaded {
  readonly usableMs: number;
  readonly requests: ReadonlyArray<{ readonly path: string; readonly start: number; readonly end: number }>;
}

const requestsOf = `[
  ...performance.getEntriesByType('navigation'), ...performance.getEntriesByType('resource'),
].map((one) => ({
  path: new URL(one.name).pathname, start: one.startTime, end: one.responseEnd,
}))`;

let server: TestServer;
let browser: Browser;
let signedIn: Awaited<ReturnType<BrowserContext['storageState']>>;
let address: string;
beforeAll(async () => {
  [server, browser] = await Promise.all([startTestServer(), sharedChromium()]);
  const account = await server.account('pro');
  for (const name of ['alpha', 'beta', 'gamma']) await upload(server, account, { query: { name } });
  address = `${server.running.urls.api.replace(/\/$/, '')}/console`;
  const { page, context } = await openConsole(browser, address);
  await signInWith(page, account.credential);
  await page.locator('#row-0').waitFor();
  signedIn = await context.storageState();
  await context.close();
});
afterAll(async () => {
  await Promise.all([server?.stop(), browser?.close()]);
});

/** Loads the page with a session and an empty cache, over a slow network. */
async function load(network: keyof typeof networks, path = '', shown = '#row-0 .cell-name button'): Promise<Loaded> {
  const context = await browser.newContext({ storageState: signedIn, viewport: { width: 1440, height: 900 } });
  try {
    const page = await context.newPage();
    const problems: string[] = [];
    page.on('console', (message) => {
      if (['error', 'warning'].includes(message.type())) problems.push(message.text());
    });
    page.on('pageerror', (error) => problems.push(String(error)));
    await page.addInitScript(watch(shown));
    const tools = await context.newCDPSession(page);
    await tools.send('Network.enable');
    await tools.send('Network.clearBrowserCache');
    await tools.send('Network.emulateNetworkConditions', { offline: false, ...networks[network] });
    await page.goto(address + path, { waitUntil: 'commit' });
    const usableMs = (await page.evaluate('window.usable')) as number | null;
    // Otherwise the test would only say that its time is over.
    if (usableMs === null) throw new Error(await whatIsThere(page, shown, problems));
    const requests = (await page.evaluate(requestsOf)) as Loaded['requests'];
    expect(problems).toEqual([]);
    return { usableMs, requests };
  } finally {
    await context.close();
  }
}

const median = (values: readonly number[]) => values.toSorted((a, b) => a - b)[values.length >> 1]!;

describe.skipIf(noChromium)(`a first visit${noChromium ? ` (skipped: ${noChromium})` : ''}`, () => {
  it.each(['lighthouse', 'devtools'] as const)(
    'shows a usable list of files soon over fast 3G (%s)',
    async (network) => {
      const runs: Loaded[] = [];
      for (let run = 0; run < 5; run++) runs.push(await load(network));
      const times = runs.map(({ usableMs }) => Math.round(usableMs));
      console.log(`fast 3G (${network}): ${median(times)} ms, of ${times.join(', ')}`);
      expect(median(times)).toBeLessThan(boundMs[network]);
    },
  );

  it('requests the session and the first list beside the code, once each', async () => {
    const early = [/^\/console\/config\.json$/, /^\/v1\/session$/, /^\/v1\/objects$/, /\/files-.*\.js$/, /\/en-/];
    const runs: RegExp[][] = [];
    // The best of three, because a busy machine delays single requests.
    for (let run = 0; run < 3 && !runs.some(({ length }) => length === 0); run++) {
      const { requests } = await load('lighthouse');
      const of = (pattern: RegExp) => requests.filter(({ path }) => pattern.test(path));
      const [code] = of(/\/first-/);
      for (const pattern of early) expect(of(pattern)).toHaveLength(1);
      runs.push(early.filter((pattern) => of(pattern)[0]!.start >= code!.end));
    }
    expect(runs.at(-1)).toEqual([]);
  });

  it.each(['/files/public/invoices/2026', '/files/all/a%20b'])('lists %s once', async (path) => {
    const { requests } = await load('lighthouse', path, '.empty-title');
    expect(requests.filter((one) => one.path === '/v1/objects')).toHaveLength(1);
  });

  it.each(['/usage', '/keys', '/shares', '/files?sort=size'])('loads %s without a list too many', async (path) => {
    const { requests } = await load('lighthouse', path, 'main h1');
    const paths = requests.map((one) => one.path);
    expect(paths.filter((one) => one === '/v1/session')).toHaveLength(1);
    expect(new Set(paths.filter((one) => one.startsWith('/console/assets/'))).size).toBe(
      paths.filter((one) => one.startsWith('/console/assets/')).length,
    );
  });

  it('asks for no list with a key that is restricted to folders, and for nothing of an earlier session', async () => {
    const account = await server.account('pro');
    const credential = await server.key(account, { scopes: ['blob:read'], prefixes: ['invoices/2026'] });
    const { page, context, problems } = await openConsole(browser, address);
    try {
      const asked: string[] = [];
      page.on('request', (request) => asked.push(new URL(request.url()).pathname));
      await signInWith(page, credential);
      await page.getByRole('button', { name: 'invoices', exact: true }).waitFor();
      await page.reload();
      await page.getByRole('button', { name: 'invoices', exact: true }).waitFor();
      expect(asked).not.toContain('/v1/objects');
      expect(problems).toEqual([]);
      // The cookie is gone, but the browser still says that somebody has signed in.
      await context.clearCookies();
      await page.evaluate(`localStorage.setItem('cubby.signed-in', 'lists')`);
      await page.reload();
      await signInWith(page, account.credential);
      await page.getByText('This folder is empty').waitFor();
    } finally {
      await context.close();
    }
  });
});
