import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { askForKey, poll } from '#test/support/activation.ts';
import { sharedChromium, noChromium } from '#test/support/chromium.ts';
import { startTestServer, type TestServer } from '#test/support/server.ts';

describe.skipIf(noChromium)(`the approval page in a browser${noChromium ? ` (skipped: ${noChromium})` : ''}`, () => {
  let server: TestServer;
  let browser: Browser;
  beforeAll(async () => {
    [server, browser] = await Promise.all([startTestServer(), sharedChromium()]);
  });
  afterAll(() => Promise.all([browser?.close(), server?.stop()]));

  interface Watched {
    readonly page: Page;
    readonly context: BrowserContext;
    /** The errors that it reported, including violations of the content security policy. */
    readonly complaints: string[];
    readonly requests: string[];
  }

  /** Opens the page without script, at the width of the narrowest phone. */
  async function opened(options: BrowserContextOptions = {}): Promise<Watched> {
    const context = await browser.newContext({
      javaScriptEnabled: false,
      viewport: { width: 320, height: 640 },
      ...options,
    });
    const page = await context.newPage();
    const [complaints, requests]: [string[], string[]] = [[], []];
    // For the browser a rejected form is a failed request, which it reports.
    page.on('console', (message) => {
      if (!/Failed to load resource: the server responded with a status of 4/.test(message.text()))
        complaints.push(message.text());
    });
    page.on('request', (request) => requests.push(request.url()));
    await page.goto(`${server.running.urls.api}/activate`);
    await waitForAutofocus(page);
    return { page, context, complaints, requests };
  }

  /** Returns the value of the focused element, or its name while it is empty. */
  const focused = (page: Page): Promise<string> =>
    page.evaluate('document.activeElement.value || document.activeElement.name');

  /** The browser moves the focus when it first draws the page, which may be after it has loaded. */
  async function waitForAutofocus(page: Page): Promise<void> {
    if ((await page.locator('[autofocus]').count()) > 0) await page.locator('[autofocus]:focus').waitFor();
  }
  const heading = (page: Page) => page.locator('h1').innerText();

  /** Types with the keyboard only, at the focus that the page has set, and waits for the next page. */
  async function typeAndEnter(page: Page, text: string, isByKey = false): Promise<void> {
    // Typing single keys would take the browser a second.
    await (isByKey ? page.keyboard.type(text) : page.keyboard.insertText(text));
    await Promise.all([page.waitForEvent('load'), page.keyboard.press('Enter')]);
    await waitForAutofocus(page);
  }

  /** Presses Tab until the element with this value has the focus, then presses it. */
  async function tabTo(page: Page, value: string): Promise<void> {
    for (let step = 0; step < 8; step++) {
      await page.keyboard.press('Tab');
      if ((await focused(page)) === value)
        return void (await Promise.all([page.waitForEvent('load'), page.keyboard.press('Space')]));
    }
    throw new Error(`Tab never came to ${value}.`);
  }

  test('approves with the keyboard only, within its policy and its host', async () => {
    const { credential } = await server.account();
    const codes = await askForKey(server, { client_name: 'Cubby CLI <on> anna-laptop' });
    const { page, context, complaints, requests } = await opened();
    expect(await focused(page)).toBe('api_key');
    await typeAndEnter(page, credential, true);
    expect(await heading(page)).toBe('Enter the code that your device shows');
    expect(await focused(page)).toBe('user_code');
    await typeAndEnter(page, codes.user_code.toLowerCase().replace('-', ' '), true);
    expect(await page.locator('main').innerText()).toMatch(
      /Cubby CLI <on> anna-laptop[^]*127\.0\.0\.1[^]*See and download stored files/,
    );
    await tabTo(page, 'approve');
    expect(await heading(page)).toBe('Device approved');
    expect((await poll(server, codes)).status).toBe(200);

    const sent: string[] = [];
    page.on('request', (request) => sent.push(request.method()));
    await page.reload();
    expect([await heading(page), sent.includes('POST')], 'a reload sends no form').toEqual(['Device approved', false]);

    expect(complaints).toEqual([]);
    expect(requests.filter((address) => new URL(address).host !== new URL(server.running.urls.api).host)).toEqual([]);
    expect(requests.filter((address) => address.includes(codes.user_code))).toEqual([]);
    const cookies = await context.cookies();
    expect(
      cookies
        .map(({ name, path, httpOnly, sameSite }) => ({ name, path, httpOnly, sameSite }))
        .sort((a, b) => (a.name < b.name ? -1 : 1)),
    ).toEqual(
      ['cubby_decision', 'cubby_form', 'cubby_session'].map((name) => ({
        name,
        path: '/activate',
        httpOnly: true,
        sameSite: 'Strict',
      })),
    );
    await context.close();
  });

  test('refuses and signs out with the keyboard only', async () => {
    const { credential } = await server.account();
    const codes = await askForKey(server);
    const { page, context } = await opened();
    await typeAndEnter(page, credential);
    await typeAndEnter(page, codes.user_code);
    await tabTo(page, 'refuse');
    expect(await heading(page)).toBe('Device refused');
    expect((await poll(server, codes)).json().error).toBe('access_denied');
    await page.goto(`${server.running.urls.api}/activate`);
    await waitForAutofocus(page);
    await tabTo(page, 'sign_out');
    expect(await heading(page)).toBe('Sign in');
    await context.close();
  });

  test('shows the error at the field, and signs out after five wrong codes', async () => {
    const { credential } = await server.account();
    const { page, context, complaints } = await opened();
    await typeAndEnter(page, 'cbk_wrong');
    const alert = page.getByRole('alert');
    expect(await alert.innerText()).toContain('not valid');
    expect([await page.title(), await focused(page)]).toEqual(['Problem: Sign in – Cubby', 'api_key']);
    expect(await page.locator(':focus').getAttribute('aria-describedby')).toContain((await alert.getAttribute('id'))!);
    await typeAndEnter(page, credential);
    for (let wrong = 1; wrong < 5; wrong++) {
      await typeAndEnter(page, 'BBBB-BBBB');
      expect([await alert.innerText(), await focused(page)]).toEqual([
        expect.stringContaining('No request waits under that code'),
        'user_code',
      ]);
    }
    await typeAndEnter(page, 'BBBB-BBBB');
    expect([await heading(page), await alert.innerText(), await focused(page)]).toEqual([
      'Sign in',
      expect.stringContaining('fifth wrong one'),
      'api_key',
    ]);
    await page.goto(`${server.running.urls.api}/activate`);
    expect(await heading(page)).toBe('Sign in');
    expect(complaints).toEqual([]);
    await context.close();
  });

  /** Returns the contrast of two colours. @see https://www.w3.org/TR/WCAG22/#dfn-contrast-ratio */
  function contrast(a: string, b: string): number {
    const luminance = (colour: string) => {
      const [red, green, blue] = colour
        .match(/\d+/g)!
        .slice(0, 3)
        .map((part) => {
          const share = Number(part) / 255;
          return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
        }) as [number, number, number];
      return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
    };
    const [dark, light] = [luminance(a), luminance(b)].sort((x, y) => x - y) as [number, number];
    return (light + 0.05) / (dark + 0.05);
  }

  test('can be read in light and dark colours, with a label for each field, in a narrow window', async () => {
    const { page, context } = await opened();
    await typeAndEnter(page, 'cbk_wrong');
    const colours = (selector: string) =>
      page
        .locator(selector)
        .first()
        .evaluate((element) => {
          const { getComputedStyle } = globalThis as any;
          const backgroundOf = (at: any): string => {
            const { backgroundColor } = getComputedStyle(at);
            return backgroundColor === 'rgba(0, 0, 0, 0)' && at.parentElement
              ? backgroundOf(at.parentElement)
              : backgroundColor;
          };
          return [getComputedStyle(element).color as string, backgroundOf(element)] as const;
        });
    const selectors = ['h1', '.brand', 'label', '.hint', 'input:not([type=hidden])', '[role=alert]', 'button.first'];
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      for (const selector of selectors) {
        expect(contrast(...(await colours(selector))), `${selector}, ${colorScheme}`).toBeGreaterThan(4.5);
      }
      const [, ground] = await colours('h1');
      expect(contrast(ground, 'rgb(255, 255, 255)') > 4).toBe(colorScheme === 'dark');
    }
    for (const field of await page.locator('input:not([type=hidden])').all())
      expect(await field.evaluate((input: any) => input.labels.length)).toBe(1);
    expect(await page.evaluate('document.documentElement.scrollWidth <= window.innerWidth')).toBe(true);
    await context.close();
  });

  test('cannot be framed, and ignores a form of another site', async () => {
    const { credential } = await server.account();
    const codes = await askForKey(server);
    const { page, context, complaints } = await opened({ javaScriptEnabled: true });
    await typeAndEnter(page, credential);
    const other = await context.newPage();
    other.on('console', (message) => complaints.push(message.text()));
    // Another name for the same machine is another site.
    const api = server.running.urls.api;
    await other.goto(`${api.replace('localhost', '127.0.0.1')}/livez`);
    await other.setContent(
      `<iframe src="${api}/activate"></iframe><form method="post" action="${api}/activate"><input name="action" ` +
        `value="look_up"><input name="form_token" value="x"><input name="user_code" value="${codes.user_code}">` +
        '<button>Go</button></form>',
    );
    await expect.poll(() => complaints.join()).toContain('frame-ancestors');
    await other.getByRole('button').click();
    await other.getByRole('alert').waitFor();
    expect(await other.getByRole('alert').innerText()).toContain('another page');
    await context.close();
  });
});
