import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';

import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { sharedChromium, noChromium } from '#test/support/chromium.ts';
import { silence, sunset } from '#test/pages/gallery-server.ts';
import { openLink, remainingOf, shareFile, type TestShare } from '#test/support/shares.ts';
import { startTestServer, type TestAccount, type TestServer } from '#test/support/server.ts';

/**
 * Messages of Chromium that report no problem: an expected error status, and an `autofocus` that came after the test
 * had begun to type, which happens on a busy machine.
 */
const expected =
  /the server responded with a status of 4|^Autofocus processing was blocked because a document already has a focused/;

describe.skipIf(noChromium)(`share links in a browser${noChromium ? ` (skipped: ${noChromium})` : ''}`, () => {
  let server: TestServer;
  let browser: Browser;
  let account: TestAccount;
  beforeAll(async () => {
    [server, browser] = await Promise.all([startTestServer(), sharedChromium()]);
    account = await server.account('pro');
  });
  afterAll(() => Promise.all([browser?.close(), server?.stop()]));

  const picture = sunset(320, 200);
  const text = Buffer.from(`${'All that was agreed upon.\n'.repeat(40)}<script>document.title = 'run'</script>`);

  /** A link with a landing page, to a private file unless `query` says otherwise. */
  const shared = (
    bytes: Buffer,
    filename: string,
    body: object = {},
    query: Readonly<Record<string, string>> = {},
  ): Promise<TestShare> =>
    shareFile(server, account, { file: { bytes, filename, query }, body: { landing: true, ...body } });
  const remaining = (share: TestShare) => remainingOf(server, account, share);

  /** A browser without script, and the errors that it reported, including violations of the content security policy. */
  async function visitor(options: BrowserContextOptions = {}): Promise<{ page: Page; complaints: string[] }> {
    const context = await browser.newContext({
      javaScriptEnabled: false,
      locale: 'en-GB',
      acceptDownloads: true,
      ...options,
    });
    const page = await context.newPage();
    const complaints: string[] = [];
    page.on('console', (message) => {
      if (!expected.test(message.text())) complaints.push(message.text());
    });
    return { page, complaints };
  }

  const heading = (page: Page) => page.locator('h1').innerText();

  /** Presses the button and reads the saved file. */
  async function download(page: Page, press: () => Promise<void>): Promise<{ name: string; bytes: Buffer }> {
    const [saved] = await Promise.all([page.waitForEvent('download'), press()]);
    return { name: saved.suggestedFilename(), bytes: await readFile(await saved.path()) };
  }

  test('a link with one download serves the file once, and informs the second visitor', async () => {
    const share = await shared(picture, 'Férias à beira-mar.png', { max_downloads: 1 });
    const { page, complaints } = await visitor();
    await page.goto(share.url);
    expect([await heading(page), await page.locator('.what').innerText()]).toEqual([
      'Férias à beira-mar.png',
      expect.stringMatching(/^Image · /),
    ]);
    expect(await page.locator('.facts').innerText()).toMatch(/1 left/);
    // A preview would give the bytes away.
    expect(await page.locator('.preview').count()).toBe(0);
    expect(await remaining(share)).toBe(1);
    const saved = await download(page, () => page.getByRole('button', { name: 'Download' }).click());
    expect([saved.name, saved.bytes.equals(picture)]).toEqual(['Férias à beira-mar.png', true]);
    await expect.poll(() => remaining(share)).toBe(0);

    const { page: second, complaints: secondComplaints } = await visitor({ locale: 'pt-BR' });
    const answer = await second.goto(share.url);
    expect([answer!.status(), await heading(second)]).toEqual([410, 'Não restam downloads']);
    expect([...complaints, ...secondComplaints]).toEqual([]);
  });

  test('a password opens the link with the keyboard only, and nothing is shown before it', async () => {
    const share = await shared(picture, 'secret plan.png', { password: 'correct horse' });
    const { page, complaints } = await visitor();
    expect((await page.goto(share.url))!.status()).toBe(401);
    expect(await page.content()).not.toMatch(/secret|plan|png|KB|kB/);
    await page.locator('#password:focus').waitFor();
    await page.keyboard.type('wrong horse');
    await Promise.all([page.waitForEvent('load'), page.keyboard.press('Enter')]);
    expect([await page.getByRole('alert').innerText(), await page.title()]).toEqual([
      'That password is wrong. Check it, then try again.',
      'Problem: This link asks for a password – Cubby',
    ]);
    expect(await page.content()).not.toMatch(/secret|plan|png|KB|kB|wrong horse/);
    await page.locator('#password:focus').waitFor();
    await page.keyboard.type('correct horse');
    await Promise.all([page.waitForEvent('load'), page.keyboard.press('Enter')]);
    expect(await heading(page)).toBe('secret plan.png');
    expect(await page.content()).not.toContain('og:');
    await expect.poll(() => page.evaluate("document.querySelector('.preview img').naturalWidth")).toBe(320);
    await page.keyboard.press('Tab');
    const saved = await download(page, () => page.keyboard.press('Enter'));
    expect([saved.name, saved.bytes.equals(picture)]).toEqual(['secret plan.png', true]);
    const [cookie, ...others] = await page.context().cookies();
    expect([cookie, others]).toEqual([
      expect.objectContaining({ httpOnly: true, sameSite: 'Lax', path: `/s/${share.id}` }),
      [],
    ]);
    expect(complaints).toEqual([]);
  });

  test('a landing page shows the checksum of the file and the end of the link', async () => {
    const share = await shared(text, 'minutes.txt', { expires_in: 7200 });
    const { page } = await visitor({ locale: 'es' });
    await page.goto(share.url);
    await page.locator('summary').click();
    expect(await page.locator('code').innerText()).toBe(createHash('sha256').update(text).digest('hex'));
    expect(await page.locator('.facts').innerText()).toMatch(/dentro de 2 horas[^]*\(UTC\)/);
  });

  test('expired and revoked links say so', async () => {
    const [expiring, revoked] = [await shared(text, 'a.txt', { expires_in: 60 }), await shared(text, 'b.txt')];
    await server.send('/v1/shares', {
      method: 'DELETE',
      credential: account.credential,
      body: JSON.stringify({ id: revoked.id }),
    });
    server.clock.advance(61_000);
    const { page } = await visitor();
    expect([(await page.goto(expiring.url))!.status(), await heading(page)]).toEqual([410, 'This link has expired']);
    expect([(await page.goto(revoked.url))!.status(), await heading(page)]).toEqual([
      404,
      'Nothing is under this link',
    ]);
  });

  test('a preview shows the file, spends no download, and runs nothing in the file', async () => {
    const [image, notes] = [await shared(picture, 'bay.png'), await shared(text, 'notes.txt')];
    const { page, complaints } = await visitor({ javaScriptEnabled: true });
    await page.goto(image.url);
    await expect.poll(() => page.evaluate("document.querySelector('.preview img').naturalWidth")).toBe(320);
    await page.goto(notes.url);
    await page.frameLocator('iframe').getByText('All that was agreed upon.').waitFor();
    const sound = await shared(silence(8000 * 3), 'rain.wav');
    await page.goto(sound.url);
    await expect.poll(() => page.evaluate("document.querySelector('audio').duration")).toBe(3);
    const answer = await page.goto(`${notes.url}?preview=1`);
    expect([answer!.headers()['content-security-policy'], answer!.headers()['content-type']]).toEqual([
      "sandbox; default-src 'none'; frame-ancestors 'self'",
      'text/plain; charset=utf-8',
    ]);
    expect(await page.title()).not.toBe('run');
    expect(complaints).toEqual([]);
  });

  /** A PDF of one page with a red field. Readers can read it without a table of offsets. */
  function onePage(): Buffer {
    const field = '1 0 0 rg 60 400 400 200 re f';
    return Buffer.from(`%PDF-1.4
${'%'.repeat(600)}
1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj
2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj
3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 595 842]/Contents 4 0 R/Resources<<>>>>endobj
4 0 obj<</Length ${field.length}>>stream
${field}
endstream
endobj
trailer<</Size 5/Root 1 0 R>>
%%EOF`);
  }

  test('a PDF opens in a window of its own, inside its sandbox', async () => {
    const { path, url } = await shared(Buffer.from(`%PDF-1.4\n${'%'.repeat(600)}`), 'plan.pdf');
    const { page } = await visitor();
    await page.goto(url);
    const link = page.getByRole('link', { name: 'View in the browser' });
    expect([await link.getAttribute('target'), await link.getAttribute('rel')]).toEqual([
      '_blank',
      'noopener noreferrer nofollow',
    ]);
    const { headers } = await openLink(server, { path: path + (await link.getAttribute('href'))! });
    expect(['content-type', 'content-disposition', 'content-security-policy'].map((name) => headers.get(name))).toEqual(
      ['application/pdf', expect.stringMatching(/^inline/), expect.stringContaining('sandbox')],
    );
  });

  test('the viewer of Chromium shows a PDF in its sandbox', async () => {
    const { url } = await shared(onePage(), 'plan.pdf');
    const { page } = await visitor({ javaScriptEnabled: true });
    await page.goto(url);
    const [opened] = await Promise.all([
      page.context().waitForEvent('page'),
      page.getByRole('link', { name: 'View in the browser' }).click(),
    ]);
    // The window's own page, which embeds the file and draws it.
    await expect
      .poll(() => opened.frames().map((frame) => frame.url().split(':')[0]), { timeout: 20_000 })
      .toEqual(['http', 'chrome-extension', 'http']);
  });

  test('a password leads directly to the download if the link has no landing page', async () => {
    const share = await shared(picture, 'bay.png', { password: 'correct horse', landing: false, max_downloads: 2 });
    const { page, complaints } = await visitor();
    await page.goto(share.url);
    await page.getByLabel('Password').fill('correct horse');
    const saved = await download(page, () => page.getByRole('button', { name: 'Open' }).click());
    expect([saved.name, saved.bytes.equals(picture)]).toEqual(['bay.png', true]);
    await expect.poll(() => remaining(share)).toBe(1);
    expect(complaints).toEqual([]);
  });

  test('a password, then the button, leads to the file of a capped link', async () => {
    const share = await shared(picture, 'bay.png', { password: 'correct horse', max_downloads: 2 });
    const { page, complaints } = await visitor();
    await page.goto(`${share.url}?download=1`);
    await page.getByLabel('Password').fill('correct horse');
    await page.getByRole('button', { name: 'Open' }).click();
    expect(await remaining(share)).toBe(2);
    const saved = await download(page, () => page.getByRole('button', { name: 'Download' }).click());
    expect([saved.name, saved.bytes.equals(picture), await remaining(share)]).toEqual(['bay.png', true, 1]);
    expect(complaints).toEqual([]);
  });

  test('the button of a public file leads to its public URL, on another host', async () => {
    const share = await shared(picture, 'bay.png', { max_downloads: 2 }, { private: 'false' });
    const { page, complaints } = await visitor();
    await page.goto(share.url);
    await page.getByRole('button', { name: 'Download' }).click();
    await page.waitForURL(`${server.running.urls.public}/**`);
    expect([await remaining(share), complaints]).toEqual([1, []]);
  });

  test('too many wrong passwords show the form again, with the time to wait', async () => {
    const limited = await startTestServer({ rateLimits: true });
    const share = await shareFile(limited, await limited.account('pro'), { body: { password: 'correct horse' } });
    const { page } = await visitor();
    await page.goto(share.url);
    const submit = async (password: string) => {
      await page.getByLabel('Password').fill(password);
      return (
        await Promise.all([
          page.waitForResponse((response) => response.request().method() === 'POST'),
          page.getByRole('button', { name: 'Open' }).click(),
        ])
      )[0].status();
    };
    const statuses = [];
    for (let wrong = 0; wrong < 4; wrong++) statuses.push(await submit('wrong horse'));
    expect([statuses, await heading(page), await page.getByRole('alert').innerText()]).toEqual([
      [401, 401, 401, 429],
      'This link asks for a password',
      'Too many attempts. Try again in 1 second.',
    ]);
  });

  test('a password redirects to the public URL of a public file, on another host', async () => {
    const share = await shared(picture, 'bay.png', { password: 'correct horse', landing: false }, { private: 'false' });
    const { page, complaints } = await visitor();
    await page.goto(share.url);
    await page.getByLabel('Password').fill('correct horse');
    await page.getByRole('button', { name: 'Open' }).click();
    await page.waitForURL(`${server.running.urls.public}/**`);
    expect(complaints).toEqual([]);
  });

  test('a capped link has no preview for any client', async () => {
    const share = await shared(picture, 'bay.png', { max_downloads: 5 });
    const answer = await openLink(server, { path: `${share.path}?preview=1` });
    expect(answer.headers.get('content-type')).toMatch(/^text\/html/);
    expect(await remaining(share)).toBe(5);
  });

  test('the page follows the light or dark scheme, and fits a long name into a narrow window', async () => {
    const share = await shared(picture, `${'ש'.repeat(40)}${'w'.repeat(100)}.png`);
    const { page } = await visitor({
      javaScriptEnabled: true,
      viewport: { width: 320, height: 500 },
      colorScheme: 'dark',
    });
    await page.goto(share.url);
    const ground = () => page.evaluate("getComputedStyle(document.querySelector('main')).backgroundColor");
    expect(await ground()).toBe('rgb(27, 34, 38)');
    await page.emulateMedia({ colorScheme: 'light' });
    expect(await ground()).toBe('rgb(255, 255, 255)');
    expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
  });

  test('another site cannot frame the page or read its preview', async () => {
    const share = await shared(picture, 'bay.png');
    const { page, complaints } = await visitor({ javaScriptEnabled: true });
    // Another name for the same machine is another site.
    await page.goto(`${server.running.urls.api.replace('localhost', '127.0.0.1')}/livez`);
    await page.setContent(`<iframe src="${share.url}"></iframe><img src="${share.url}?preview=1">`);
    await expect.poll(() => complaints.join()).toContain('frame-ancestors');
    await expect
      .poll(() =>
        page.evaluate("(({ complete, naturalWidth }) => [complete, naturalWidth])(document.querySelector('img'))"),
      )
      .toEqual([true, 0]);
  });
});
