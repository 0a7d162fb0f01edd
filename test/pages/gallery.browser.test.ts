import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { axe } from '#test/support/axe.ts';
import { sharedChromium, noChromium } from '#test/support/chromium.ts';
import { activationGallery, galleryIn, type Picture } from './gallery.ts';
import { serveGallery, type GalleryServer } from './gallery-server.ts';

const isLong = process.env.CUBBY_TEST_LONG === '1';
const galleries = { en: galleryIn('en'), pt: galleryIn('pt'), es: galleryIn('es'), activation: activationGallery() };

/** Damages to a page that the checks must find. */
const broken: Readonly<Record<string, (page: string) => string>> = {
  'without a language': (page) => page.replace(/<html lang="[^"]*">/, '<html>'),
  'with a field without a label': (page) => page.replace(/<label[^]*?<\/label>/, ''),
  'with too little contrast': (page) => page.replace(/class="(button )?first"/, '$& style="color: #f4a582"'),
  'with a nameless button': (page) => page.replace(/(class="(?:button )?first"[^>]*>)[^<]*/, '$1'),
  'wider than its window': (page) => page.replace('<h1>', '<h1 style="width: 40rem">'),
  'with a button that is too small': (page) =>
    page.replace(/class="(button )?first"/, '$& style="min-height: 0; padding: 0"'),
};

/**
 * A script for the page. It returns the elements that are wider than the window, and the controls that are too low for
 * a finger.
 */
const misfits = `(() => {
  const within = (selector, isWrong) => [...document.querySelectorAll(selector)]
    .filter((one) => isWrong(one.getBoundingClientRect()))
    .map((one) => one.outerHTML);
  const controls = 'button:not([hidden]), .button, summary, input:not([type=hidden])';
  return [
    ...within('body *', ({ right }) => right > innerWidth + 0.5),
    ...within(controls, ({ height }) => height < 44),
  ];
})()`;

describe.skipIf(noChromium)(`the pages in a browser${noChromium ? ` (skipped: ${noChromium})` : ''}`, () => {
  let browser: Browser;
  let server: GalleryServer;
  const shown = new Map<string, Picture>();
  beforeAll(async () => {
    [browser, server] = await Promise.all([sharedChromium(), serveGallery((name) => shown.get(name))]);
    for (const [group, pictures] of Object.entries(galleries))
      for (const [name, picture] of Object.entries(pictures)) shown.set(`${name}.${group}`, picture);
  });
  afterAll(() => Promise.all([browser?.close(), server?.stop()]));

  async function opened(
    options: Parameters<Browser['newPage']>[0] = {},
  ): Promise<{ page: Page; complaints: string[] }> {
    const page = await browser.newPage(options);
    const complaints: string[] = [];
    page.on('console', (message) => complaints.push(message.text()));
    return { page, complaints };
  }

  /** The page in which pages are examined, and what it has loaded. Tests share it. */
  interface Examiner {
    readonly page: Page;
    readonly complaints: string[];
    /** The policy of the pictures that it has loaded. */
    policy?: string | undefined;
    showing?: string;
  }
  let shared: Examiner | undefined;

  /**
   * Shows a picture in a page with axe. As long as the policy is the same, only the document is replaced, and axe stays
   * loaded.
   */
  async function examined(name: string): Promise<Examiner> {
    shared ??= await opened({ viewport: { width: 640, height: 640 } });
    const { page, complaints } = shared;
    const { page: text, headers } = shown.get(name)!;
    const policy = headers['Content-Security-Policy'];
    complaints.length = 0;
    if (policy !== undefined && policy === shared.policy) await page.setContent(text);
    else {
      await page.goto(server.base + name);
      await page.evaluate(axe);
    }
    Object.assign(shared, { policy, showing: name });
    return shared;
  }

  /** Returns the violations that axe finds in the open page. In the dark only colours can differ. */
  async function violations(page: Page, colorScheme: 'light' | 'dark', colours: boolean): Promise<string[]> {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    const rules =
      colorScheme === 'dark'
        ? ", runOnly: ['color-contrast']"
        : `, rules: { 'color-contrast': { enabled: ${colours} } }`;
    const found = (await page.evaluate(
      `axe.run(document, { iframes: false, resultTypes: ['violations']${rules} })`,
    )) as { violations: ReadonlyArray<{ id: string; nodes: ReadonlyArray<{ html: string }> }> };
    return found.violations.map(
      ({ id, nodes }) => `${colorScheme}, ${id}: ${nodes.map(({ html }) => html).join(', ')}`,
    );
  }

  /**
   * Returns everything that is wrong with a page. It checks accessibility, light and dark. It checks the layout in the
   * narrowest window, which equals one of 640 pixels at a zoom of 200 %, and with letters of twice the size.
   *
   * @param colours whether contrasts are measured, which takes most of the time
   */
  async function findings(name: string, colours = true): Promise<string[]> {
    const { page, complaints } = await examined(name);
    await page.evaluate("document.querySelectorAll('details').forEach((one) => (one.open = true))");
    const wide = async () => [
      ...(await violations(page, 'light', colours)),
      ...(colours ? await violations(page, 'dark', colours) : []),
      ...((await page.evaluate(
        `document.documentElement.style.fontSize = '200%'; const wrong = ${misfits};
         document.documentElement.style.fontSize = ''; wrong`,
      )) as string[]),
    ];
    const narrow = async () => (await page.evaluate(misfits)) as string[];
    // The next page starts in the last window of this one, because a new size takes longer than a check.
    const { width: begunWith } = page.viewportSize()!;
    if (begunWith !== 640 && begunWith !== 320) await page.setViewportSize({ width: 640, height: 640 });
    const [first, width, second] = begunWith === 320 ? ([narrow, 640, wide] as const) : ([wide, 320, narrow] as const);
    const found = await first();
    await page.setViewportSize({ width, height: width });
    return [...found, ...(await second()), ...complaints];
  }

  test.each(Object.entries(galleries))('have no accessibility problems (%s)', async (group, pictures) => {
    // The colours do not depend on the words, so one language is enough to check them.
    const colours = isLong || group === 'en' || group === 'activation';
    const policyOf = (name: string) => pictures[name]!.headers['Content-Security-Policy']!;
    const names = Object.keys(pictures).toSorted((a, b) => policyOf(a).localeCompare(policyOf(b)));
    // In the short run each page is checked in English and one other language.
    const half = { pt: 0, es: 1 }[isLong ? '' : group];
    const examinedNames = names.filter((_, index) => half === undefined || index % 2 === half);
    for (const name of examinedNames) expect(await findings(`${name}.${group}`, colours), name).toEqual([]);
  });

  test.each(Object.entries(broken))('a page %s fails the checks', async (_name, damage) => {
    const { page: whole, headers } = galleries.en['password']!;
    const loose = { ...headers, 'Content-Security-Policy': "default-src 'self'; style-src 'self' 'unsafe-inline'" };
    shown.set('broken', { page: damage(whole), headers: loose });
    expect(await findings('broken')).not.toEqual([]);
  });

  test('a file can be found and downloaded with the keyboard alone, and the focus is visible', async () => {
    const { page } = await opened({ javaScriptEnabled: false });
    await page.goto(`${server.base}landing.en`);
    await page.keyboard.press('Tab');
    expect(await page.locator(':focus').innerText()).toBe('Download');
    expect(await page.evaluate('getComputedStyle(document.activeElement).outlineWidth')).toBe('3px');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    expect(await page.locator('code').isVisible()).toBe(true);
    await page.close();
  });

  test.each(['en', 'pt', 'es'])('the facts about the link stand beside their names (%s)', async (language) => {
    const { page } = await examined(`landing.${language}`);
    await page.setViewportSize({ width: 800, height: 600 });
    const tops = `[...document.querySelectorAll('.facts > div')].map((fact) =>
      [...fact.children].map((child) => child.getBoundingClientRect().top))`;
    for (const [name, value] of (await page.evaluate(tops)) as number[][]) expect(value).toBe(name);
  });

  test('the button keeps its edges with forced colours, is not printed, and is still with reduced motion', async () => {
    const { page } = await opened();
    await page.goto(`${server.base}landing.en`);
    const styleOf = (property: string) =>
      page.evaluate(`getComputedStyle(document.querySelector('button.first')).${property}`);
    expect(await styleOf('transitionDuration')).toContain('0.15s');
    await page.emulateMedia({ reducedMotion: 'reduce' });
    expect(await styleOf('transitionDuration')).toBe('0s');
    await page.emulateMedia({ forcedColors: 'active' });
    expect([
      await styleOf('borderTopWidth'),
      await page.evaluate("getComputedStyle(document.querySelector('.icon')).backgroundColor"),
    ]).toEqual(['3px', 'rgb(255, 255, 255)']);
    await page.emulateMedia({ media: 'print', forcedColors: 'none', colorScheme: 'dark' });
    expect(
      await page.evaluate(
        "[...['color', 'backgroundColor'].map((name) => getComputedStyle(document.querySelector('main'))[name])]",
      ),
    ).toEqual(['rgb(0, 0, 0)', 'rgb(255, 255, 255)']);
    expect([await page.locator('.button').isVisible(), await page.locator('h1').isVisible()]).toEqual([false, true]);
    await page.close();
  });

  test('previews show their files', async () => {
    const { page, complaints } = await opened();
    await page.goto(`${server.base}landing-image.en`);
    expect(
      await page.evaluate("(({ naturalWidth, alt }) => [naturalWidth, alt])(document.querySelector('.preview img'))"),
    ).toEqual([480, 'Preview of sunset over the bay.png']);
    await page.goto(`${server.base}landing-text.en`);
    await page.frameLocator('iframe').getByText('Call the landlord').waitFor();
    await page.goto(`${server.base}landing-audio.en`);
    await expect.poll(() => page.evaluate("document.querySelector('audio').duration")).toBe(12);
    expect(complaints).toEqual([]);
    await page.close();
  });
});
