import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';

import { startMock } from '#mocks/mock.ts';
import { axe } from '#test/support/axe.ts';
import { noChromium, sharedChromium } from '#test/support/chromium.ts';
import { openSearch } from '#test/support/docs-search.ts';
import { startTestServer, type TestServer } from '#test/support/server.ts';

const isLong = process.env.CUBBY_TEST_LONG === '1';

/** One page of each kind. */
const kinds = {
  'the first page': '/docs/',
  'first steps': '/docs/start/page',
  'the start with a framework': '/docs/start/frameworks/nuxt',
  'a tutorial': '/docs/tutorials/photo-drop',
  'a guide': '/docs/s3',
  'the overview of the reference': '/docs/reference',
  'a tag of the reference': '/docs/reference/shares',
  'the list of errors': '/docs/errors',
  'an error code': '/docs/errors/ACCESS_DENIED',
  limits: '/docs/limits',
  scopes: '/docs/scopes',
  'the codes of the S3 gateway': '/docs/s3-errors',
  'the changes of the API': '/docs/api-changes',
  'the list of guides': '/docs/guides',
} as const;

/** Returns whether the page's own scripts have taken over. Redoc's pages have another root. */
const hasTakenOver = `Boolean(document.querySelector('#app')?.__vue_app__ ?? document.querySelector('#redoc main h2'))`;

describe.skipIf(noChromium)(`the documentation${noChromium ? ` (skipped: ${noChromium})` : ''}`, () => {
  let server: TestServer;
  let browser: Browser;
  let api: string;
  beforeAll(async () => {
    server = await startTestServer();
    api = server.running.urls.api;
    browser = await sharedChromium();
  });
  afterAll(async () => {
    await browser.close();
    await server.stop();
  });

  async function open(path: string, width: number, colorScheme: 'light' | 'dark' = 'light'): Promise<Page> {
    const context = await browser.newContext({
      viewport: { width, height: 900 },
      colorScheme,
      reducedMotion: 'reduce',
    });
    onTestFinished(() => context.close());
    const page = await context.newPage();
    await page.addInitScript(`
      globalThis.shifts = [];
      new PerformanceObserver((list) => {
        for (const { value, hadRecentInput, sources } of list.getEntries())
          if (!hadRecentInput)
            shifts.push({ value, what: sources.map(({ node }) => node?.className ?? node?.nodeName) });
      }).observe({ type: 'layout-shift', buffered: true });
    `);
    await page.goto(api + path);
    // The theme has taken over the page.
    // A look from here each time: a waiting function would be compiled in the page, which its policy forbids.
    await expect.poll(() => page.evaluate(hasTakenOver), { timeout: 30_000 }).toBe(true);
    return page;
  }

  /** Returns what axe finds, with the first of the elements. */
  async function violations(page: Page): Promise<string[]> {
    await page.evaluate(axe);
    const found = (await page.evaluate(`axe.run(document, { resultTypes: ['violations'] })`)) as {
      violations: ReadonlyArray<{ id: string; impact: string; nodes: ReadonlyArray<{ html: string; any: any }> }>;
    };
    return found.violations.map(
      ({ id, impact, nodes }) =>
        `${impact} ${id} (${nodes.length}): ${nodes[0]!.html.slice(0, 160)} ${nodes[0]!.any[0]?.message ?? ''}`,
    );
  }

  const looks = [
    [1440, 'light'],
    [390, 'dark'],
  ] as const;
  for (const [index, [kind, path]] of Object.entries(kinds).entries()) {
    it(`${kind} has nothing that axe rejects`, async () => {
      // Both looks in the long form, else one after the other.
      for (const [width, scheme] of isLong ? looks : [looks[index % 2]!]) {
        const page = await open(path, width, scheme);
        expect(await violations(page), `${scheme}, ${width} px`).toEqual([]);
        const shown = (await page.evaluate('document.documentElement.scrollWidth')) as number;
        expect(shown, `${width} px`).toBeLessThanOrEqual(width);
        // Less than anybody can see: 0.1 counts as good.
        const shifts = (await page.evaluate('shifts')) as ReadonlyArray<{ readonly value: number }>;
        expect(shifts.filter(({ value }) => value > 0.01)).toEqual([]);
      }
    });
  }

  it('the page of an address without a page has nothing that axe rejects', async () => {
    const context = await browser.newContext({ viewport: { width: 390, height: 900 }, colorScheme: 'dark' });
    onTestFinished(() => context.close());
    const page = await context.newPage();
    const answer = await page.goto(`${api}/docs/errors/%3Cscript%3Ealert(1)%3C/script%3E`);
    expect(answer!.status()).toBe(404);
    expect(await violations(page)).toEqual([]);
    await page.getByRole('link', { name: 'first page' }).click();
    await page.getByRole('heading', { name: 'Where to start' }).waitFor();
  });

  it('Redoc has nothing that axe rejects, in the colors of the site, also with an operation open', async () => {
    for (const [width, scheme] of isLong ? looks : [looks[0]]) {
      const page = await open('/docs/redoc/shares', width, scheme);
      expect(await violations(page), `${scheme}, ${width} px`).toEqual([]);
      await page.goto(`${page.url()}#/shares/createshare`);
      await page.getByRole('heading', { name: 'Create a share link' }).first().waitFor();
      // The repairs follow the drawing of the page.
      await expect.poll(() => violations(page), { message: `${scheme}, ${width} px, open` }).toEqual([]);
      expect(await page.getByRole('main').count()).toBe(1);
      const background = 'getComputedStyle(document.body).backgroundColor';
      const site = await open('/docs/s3', width, scheme);
      expect(await page.evaluate(background)).toBe(await site.evaluate(background));
    }
  });

  it('"Try it", the search and the menu have nothing that axe rejects', async () => {
    const page = await open('/docs/reference/shares', 1440);
    const tryIt = page.locator('.try-it').first();
    await tryIt.getByRole('button', { name: 'Try it' }).click();
    await tryIt.getByRole('button', { name: 'Send', exact: true }).waitFor();
    // The focus goes on from the button that was pressed.
    expect(await page.evaluate('document.activeElement.id')).toBe('try-listShares-server');
    expect(await page.getByRole('radiogroup', { name: 'Language of the sample' }).count()).toBeGreaterThan(0);
    expect(await violations(page)).toEqual([]);
    await (await openSearch(page)).fill('quota');
    await page.locator('.VPLocalSearchBox .result').first().waitFor();
    expect(await violations(page)).toEqual([]);
    const narrow = await open('/docs/reference/shares', 390, 'dark');
    await narrow.locator('.VPLocalNav .menu').click();
    await narrow.locator('.VPSidebar.open').waitFor();
    expect(await violations(narrow)).toEqual([]);
  });

  it('can be used with the keyboard: past the menu, into the search, through the samples', async () => {
    const page = await open('/docs/reference/shares', 1440);
    await page.keyboard.press('Tab');
    expect(await page.evaluate('document.activeElement.textContent')).toContain('Skip to content');
    await page.keyboard.press('Enter');
    expect(page.url()).toContain('#VPContent');
    const tabs = page.locator('.vp-code-group').first().locator('input');
    await tabs.first().focus();
    const label = 'getComputedStyle(document.querySelector(".vp-code-group label")).outlineStyle';
    await page.keyboard.press('Shift+Tab');
    await page.keyboard.press('Tab');
    expect(await page.evaluate(label)).toBe('solid');
    await page.keyboard.press('ArrowRight');
    expect(await tabs.nth(1).isChecked()).toBe(true);
    // All other samples show the same language, also on the next page.
    await expect.poll(() => page.locator('.vp-code-group').nth(1).locator('input').nth(1).isChecked()).toBe(true);
    await page.goto(`${api}/docs/reference/files`);
    await expect.poll(() => page.locator('.vp-code-group').first().locator('input').nth(1).isChecked()).toBe(true);
  });

  it('breaks no word of a table, and narrow windows scroll the table alone', async () => {
    for (const path of ['/docs/', '/docs/errors', '/docs/limits', '/docs/reference/files']) {
      const page = await open(path, 390);
      // A cell that is narrower than its longest word has content beside it.
      const broken = await page.evaluate(`[...document.querySelectorAll('.vp-doc :is(td, th)')].filter((cell) => {
        const { overflowWrap, wordBreak } = getComputedStyle(cell);
        return overflowWrap !== 'normal' || wordBreak !== 'normal' || cell.scrollWidth > cell.clientWidth;
      }).map((cell) => cell.textContent)`);
      expect(broken, path).toEqual([]);
      expect(await page.evaluate('document.documentElement.scrollWidth'), path).toBeLessThanOrEqual(390);
    }
  });

  it('shows the reader’s key in the first steps too', async () => {
    const page = await open('/docs/start/page', 1440);
    await page.getByLabel('Your key').fill('cbk_$&mine');
    await expect.poll(() => page.locator('.language-sh').first().innerText()).toContain('CUBBY_KEY=cbk_$&mine');
    await page.getByLabel('Your key').fill('cbk_"x');
    await page.getByText('The samples leave this out').waitFor();
    expect(await page.locator('.language-sh').first().innerText()).toContain('CUBBY_KEY=YOUR_KEY');
  });

  it('prints without menus and buttons', async () => {
    const page = await open('/docs/reference/shares', 1440);
    await page.emulateMedia({ media: 'print' });
    for (const hidden of ['.VPNav', '.VPSidebar', '.VPDocAside', '.try-it', '.own-server'])
      expect(await page.locator(hidden).first().isVisible(), hidden).toBe(false);
    expect(await page.getByRole('heading', { level: 1 }).isVisible()).toBe(true);
    // Nothing is cut off, and light text is not printed on white paper.
    const cut =
      '[...document.querySelectorAll(".vp-doc :is(pre, table)")].filter((one) => one.scrollWidth > one.clientWidth)';
    expect(await page.evaluate(`${cut}.length`)).toBe(0);
    const dark = await open('/docs/reference/shares', 1440, 'dark');
    const colored = 'getComputedStyle(document.body).color';
    const onScreen = await dark.evaluate(colored);
    await dark.evaluate('dispatchEvent(new Event("beforeprint"))');
    expect(await dark.evaluate(colored)).toBe(await page.evaluate(colored));
    await dark.evaluate('dispatchEvent(new Event("afterprint"))');
    expect(await dark.evaluate(colored)).toBe(onScreen);
  });

  it('hides what needs scripts where there are none', async () => {
    const context = await browser.newContext({ javaScriptEnabled: false });
    onTestFinished(() => context.close());
    const page = await context.newPage();
    await page.goto(`${api}/docs/reference/shares`);
    for (const hidden of ['.try-it', '.own-server', '.VPNavBarSearch'])
      expect(await page.locator(hidden).first().isVisible(), hidden).toBe(false);
    // Every language of a sample can be read, without tabs that do nothing.
    await page.goto(`${api}/docs/shares`);
    const group = page.locator('.vp-code-group').first();
    expect(await group.locator('.tabs').isVisible()).toBe(false);
    for (const language of ['sh', 'js', 'py'])
      expect(await group.locator(`.language-${language}`).isVisible(), language).toBe(true);
  });

  it('shows the samples of every page in the language that the reader chose last', async () => {
    const page = await open('/docs/shares', 1440);
    const shown = () =>
      page
        .locator('.vp-code-group .blocks > .active')
        .evaluateAll((blocks) => blocks.map((block: any) => block.className.split(' ')[0]));
    await page.locator('.vp-code-group').nth(1).locator('.tabs label', { hasText: 'Python' }).click();
    await expect.poll(shown).toEqual(['language-py', 'language-py']);
    // By the site's own router, and by the browser.
    await page.getByRole('link', { name: 'Uploads straight from a browser' }).first().click();
    await page.getByRole('heading', { name: 'Uploads straight from a browser' }).waitFor();
    await expect.poll(shown).toEqual(['language-py']);
    await page.goto(`${api}/docs/ai/messages`);
    await expect.poll(shown).toEqual(['language-py']);
    // Names of files are in a language too, and a reader of "fetch" reads JavaScript.
    await page.goto(`${api}/docs/start/page`);
    await expect.poll(() => page.locator('.vp-code-group .active').innerText()).toContain('BaseHTTPRequestHandler');
    await page.goto(`${api}/docs/reference/files`);
    await page.locator('.vp-code-group').first().locator('.tabs label', { hasText: 'fetch' }).click();
    await page.goto(`${api}/docs/chunked-uploads`);
    await expect.poll(shown).toEqual(['language-js']);
    expect(await page.evaluate('scrollY')).toBe(0);
  });

  it('shows the samples with the reader’s own server and key, which stay in the tab', async () => {
    const page = await open('/docs/reference/shares', 1440);
    await page.getByRole('textbox', { name: 'Your server' }).fill('https://storage.example.com/');
    await page.getByLabel('Your key').fill('cbk_mine');
    const sample = page.locator('.vp-code-group .language-sh').first();
    await expect.poll(() => sample.innerText()).toContain("'https://storage.example.com/v1/shares'");
    expect(await sample.innerText()).toContain('Bearer cbk_mine');
    await page.goto(`${api}/docs/reference/files`);
    await expect.poll(() => page.locator('.vp-code-group .language-sh').first().innerText()).toContain('cbk_mine');
    expect(await page.evaluate('JSON.stringify(localStorage)')).not.toContain('cbk_mine');
    await page.getByLabel('Your key').fill('');
    await expect.poll(() => page.locator('.vp-code-group .language-sh').first().innerText()).toContain('YOUR_KEY');
  });

  it('"Try it" sends a request, and shows the answer, its headers and the same call as curl', async () => {
    const account = await server.account('enterprise');
    const page = await open('/docs/reference/files', 1440);
    await page.getByLabel('Your key').fill(account.credential);
    const upload = page.locator('.try-it').nth(1);
    await upload.getByRole('button', { name: 'Try it' }).click();
    await upload.getByLabel('name', { exact: false }).first().fill('tried');
    await upload.getByRole('button', { name: 'Send', exact: true }).click();
    await upload.getByText('200 OK').waitFor();
    expect(await upload.innerText()).toMatch(/"id": "pub\/\d+\/[\w/]*tried\.txt"/);
    expect(await upload.innerText()).toContain(`curl '${api}/v1/objects?name=tried`);
    await upload.getByText(/^\d+ headers$/).click();
    expect(await upload.innerText()).toContain('x-request-id: ');
    const list = page.locator('.try-it').first();
    await list.getByRole('button', { name: 'Try it' }).click();
    await page.getByLabel('Your key').fill('cbk_wrong');
    await list.getByRole('button', { name: 'Send', exact: true }).click();
    await list.getByText('"ACCESS_DENIED"').waitFor();
    // An invalid body is shown as it is sent, and a long value stays within the page.
    const change = page.locator('.try-it').nth(3);
    await change.getByRole('button', { name: 'Try it' }).click();
    await change.locator('textarea').fill(`{ not JSON ${'x'.repeat(5000)}`);
    expect(await change.innerText()).toContain(`-d '{ not JSON xxx`);
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(1440);
    // The mock, then one that does not run.
    const mock = await startMock({ port: 0 });
    onTestFinished(() => mock.close());
    await list.getByLabel('Server').selectOption('mock');
    await list.getByLabel('Port').fill(new URL(mock.url).port);
    await list.getByRole('button', { name: 'Send', exact: true }).click();
    await list.getByText('"continuationToken"').waitFor();
    await list.getByLabel('Port').fill('9');
    await list.getByRole('button', { name: 'Send', exact: true }).click();
    await list.getByText(/^No answer from http:\/\/localhost:9:/).waitFor();
  });
});
