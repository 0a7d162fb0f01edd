import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';

import { noChromium, sharedChromium } from '#test/support/chromium.ts';
import { TestClock } from '#test/support/clock.ts';
import { signInWith } from '#test/support/console.ts';
import { upload } from '#test/support/files.ts';
import { startTestServer, type TestAccount, type TestServer } from '#test/support/server.ts';

let server: TestServer;
let browser: Browser;
let first: TestAccount;
let second: TestAccount;
beforeAll(async () => {
  [server, browser] = await Promise.all([startTestServer({ clock: new TestClock(Date.now()) }), sharedChromium()]);
  [first, second] = [await server.account('pro'), await server.account('hobby')];
  await upload(server, first, {
    query: { name: 'of-the-first', prefix: 'folder-of-the-first' },
    filename: 'of-the-first.png',
  });
  await upload(server, second, {
    query: { name: 'of-the-second', prefix: 'folder-of-the-second' },
    filename: 'of-the-second.png',
  });
});
afterAll(async () => {
  await Promise.all([server?.stop(), browser?.close()]);
});

async function newContext(): Promise<BrowserContext> {
  const context = await browser.newContext({ locale: 'en-GB' });
  context.setDefaultTimeout(15_000);
  onTestFinished(() => context.close());
  return context;
}

const addressOf = (path: string) => `${server.running.urls.api}/console${path}`;

async function openTab(context: BrowserContext, path = '/files'): Promise<Page> {
  const page = await context.newPage();
  await page.goto(addressOf(path));
  return page;
}

async function openSignedIn(context: BrowserContext, account: TestAccount, path = '/files'): Promise<Page> {
  const page = await openTab(context, path);
  await signInWith(page, account.credential);
  return page;
}

async function signOut(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Account' }).click();
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
  await page.getByRole('heading', { name: 'Sign in' }).waitFor();
}

const textOf = (page: Page) => page.evaluate('document.body.textContent + document.title + location.href');
const folder = (page: Page, name: string) => page.getByRole('button', { name, exact: true });

describe.skipIf(noChromium)(`a session of the console${noChromium ? ` (skipped: ${noChromium})` : ''}`, () => {
  it('that ends in one tab ends in all, and none shows anything of it', async () => {
    const context = await newContext();
    const page = await openSignedIn(context, first);
    const other = await openTab(context, '/files/all/folder-of-the-first');
    await other.getByRole('button', { name: 'of-the-first', exact: false }).first().waitFor();
    await signOut(page);
    await other.getByRole('heading', { name: 'Sign in' }).waitFor();
    for (const tab of [page, other]) expect(await textOf(tab)).not.toContain('of-the-first');
  });

  it('of another account in another tab takes over both tabs, and neither shows the files of the first', async () => {
    const context = await newContext();
    const page = await openSignedIn(context, first);
    await folder(page, 'folder-of-the-first').waitFor();
    const other = await openTab(context);
    await folder(other, 'folder-of-the-first').waitFor();
    await signOut(other);
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    await signInWith(other, second.credential);
    await folder(page, 'folder-of-the-second').waitFor();
    for (const tab of [page, other]) expect(await textOf(tab)).not.toContain('of-the-first');
    expect(await page.locator('.who-name').textContent()).toBe('hobby account');
  });

  it('is not mixed with a later one by a tab that hears of nothing: it gets no answer and starts over', async () => {
    const context = await newContext();
    const page = await context.newPage();
    // As if the browser kept the storage of each tab apart.
    await page.addInitScript(`{
      const add = window.addEventListener;
      window.addEventListener = function (type, ...rest) {
        if (type !== 'storage') return add.call(this, type, ...rest);
      };
    }`);
    await page.goto(addressOf('/files'));
    await signInWith(page, first.credential);
    await folder(page, 'folder-of-the-first').waitFor();
    const other = await openTab(context);
    await signOut(other);
    await signInWith(other, second.credential);
    const answers: number[] = [];
    page.on('response', (answer) => void (answer.url().includes('/v1/objects') && answers.push(answer.status())));
    await folder(page, 'folder-of-the-first').click();
    await folder(page, 'folder-of-the-second').waitFor();
    expect(answers[0]).toBe(403);
    expect(await textOf(page)).not.toContain('of-the-first');
  });

  it('leaves nothing in the tab for the next person: no names, no uploads, no way back', async () => {
    const context = await newContext();
    const page = await openSignedIn(context, first);
    await folder(page, 'folder-of-the-first').click();
    const choosing = page.waitForEvent('filechooser');
    await page.getByRole('button', { name: 'Upload files' }).click();
    const buffer = Buffer.from('A text that is long enough. '.repeat(30));
    await (await choosing).setFiles([{ name: 'upload-of-the-first.txt', mimeType: 'text/plain', buffer }]);
    await page.getByText('Uploaded: 1').waitFor();
    await signOut(page);
    expect(page.url()).toBe(addressOf(''));
    await signInWith(page, second.credential);
    await folder(page, 'folder-of-the-second').waitFor();
    expect(await textOf(page)).not.toContain('of-the-first');
    await page.goBack();
    await page.locator('main h1').waitFor();
    expect(await page.evaluate('document.body.textContent')).not.toContain('upload-of-the-first');
    expect(await folder(page, 'of-the-first').count()).toBe(0);
  });

  it('that has ended does not go on as another account in the same tab', async () => {
    const context = await newContext();
    const page = await openSignedIn(context, first);
    await folder(page, 'folder-of-the-first').waitFor();
    const choosing = page.waitForEvent('filechooser');
    await page.getByRole('button', { name: 'Upload files' }).click();
    // The session ends before the upload begins, so it waits for the next one.
    await context.clearCookies();
    const buffer = Buffer.from('A text that is long enough. '.repeat(30));
    await (await choosing).setFiles([{ name: 'upload-of-the-first.txt', mimeType: 'text/plain', buffer }]);
    await page.getByText('Your session has ended. Sign in again.').waitFor();
    await signInWith(page, second.credential);
    await folder(page, 'folder-of-the-second').waitFor();
    expect(await textOf(page)).not.toContain('of-the-first');
    // No page of the second account offers to go on with it, or takes a file for stored.
    expect(await page.getByRole('button', { name: 'Choose the files again' }).count()).toBe(0);
    expect(await page.evaluate('JSON.stringify({ ...sessionStorage })')).not.toContain('of-the-first');
    const answer = await server.send('/v1/objects', { credential: second.credential });
    expect(answer.body.toString()).not.toContain('of-the-first');
  });

  it('takes its dialogs with it: a secret does not stay above the sign-in', async () => {
    const context = await newContext();
    const page = await openSignedIn(context, first, '/keys');
    await page.getByRole('button', { name: 'Create a key' }).first().click();
    await page.getByLabel('Name', { exact: true }).fill('soon gone');
    await page.getByRole('checkbox', { name: 'Full access' }).check();
    await page.getByRole('dialog').getByRole('button', { name: 'Create a key' }).click();
    await expect.poll(() => textOf(page)).toMatch(/cbk_\w+/);
    await context.clearCookies();
    // The dialog keeps the mouse from the link below it, and a script does not mind.
    await page.evaluate(`document.querySelector('nav a[href="/console/activity"]').click()`);
    await page.getByText('Your session has ended. Sign in again.').waitFor();
    expect(await page.getByRole('dialog').count()).toBe(0);
    expect(await page.content()).not.toMatch(/cbk_\w{8}/);
  });

  it('is not shown again by a page that the browser had put aside', async () => {
    const context = await newContext();
    const page = await openSignedIn(context, first);
    await folder(page, 'folder-of-the-first').waitFor();
    // No event of another tab reaches a page that is frozen.
    await page.evaluate(`{
      localStorage.removeItem('cubby.signed-in');
      dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }));
    }`);
    await expect.poll(() => page.url()).toBe(addressOf(''));
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
  });

  it.each(['revoked', 'expired'])('ends on every screen when its key is %s', async (how) => {
    const lifetime = 3_600_000;
    const credential = await server.key(first, {
      scopes: ['*'],
      ...(how === 'expired' && { lifetimeMs: lifetime }),
    });
    const context = await newContext();
    const page = await openSignedIn(context, { ...first, credential });
    await folder(page, 'folder-of-the-first').waitFor();
    if (how === 'expired') server.clock.advance(lifetime + 1);
    else {
      const { key } = (await server.send('/v1/session', { credential })).json().response;
      const path = `/v1/account/keys/${key.id}`;
      expect((await server.send(path, { method: 'DELETE', credential: first.credential })).status).toBe(200);
    }
    await page.getByRole('link', { name: 'Share links' }).click();
    await page.getByText('Your session has ended. Sign in again.').waitFor();
    expect(await page.evaluate('document.body.textContent')).not.toContain('of-the-first');
  });

  it('is not fixed by a cookie that was there before the sign-in', async () => {
    const context = await newContext();
    const name = '__Host-cubby_console';
    const url = server.running.urls.api.replace('http:', 'https:');
    await context.addCookies([{ name, value: 'chosen-by-another', url, httpOnly: true, secure: true }]);
    const page = await openSignedIn(context, first);
    await folder(page, 'folder-of-the-first').waitFor();
    const [cookie] = (await context.cookies()).filter((one) => one.name === name);
    expect(cookie).toMatchObject({ httpOnly: true, secure: true, sameSite: 'Strict', path: '/' });
    expect(cookie!.value).not.toContain('chosen-by-another');
    const before = cookie!.value;
    await signOut(page);
    await signInWith(page, first.credential);
    expect((await context.cookies()).find((one) => one.name === name)!.value).not.toBe(before);
  });
});
