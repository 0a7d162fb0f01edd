import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { noChromium, sharedChromium } from '#test/support/chromium.ts';
import { signedIn } from '#test/support/console-flow.ts';
import { upload } from '#test/support/files.ts';
import { startHookServer } from '#test/support/hook-server.ts';
import { startTestServer, type TestServer } from '#test/support/server.ts';

let server: TestServer;
let browser: Browser;
beforeAll(async () => {
  [server, browser] = await Promise.all([
    startTestServer({ env: { CUBBY_WEBHOOK_ALLOW_PRIVATE: 'on' } }),
    sharedChromium(),
  ]);
});
afterAll(async () => {
  await Promise.all([server?.stop(), browser?.close()]);
});

/** Pixels between the button of the open menu and the menu, above or below it. */
const gap = (page: Page) =>
  page.evaluate<number>(`(() => {
    const button = document.querySelector('[aria-haspopup=menu][aria-expanded=true]').getBoundingClientRect();
    const menu = document.querySelector('[role=menu]').getBoundingClientRect();
    return Math.round(Math.max(menu.top - button.bottom, button.top - menu.bottom));
  })()`);

const focused = (page: Page) => page.evaluate<string>('document.activeElement.textContent');

describe.skipIf(noChromium)(`menus of the console${noChromium ? ` (skipped: ${noChromium})` : ''}`, () => {
  it('stay open beside their button when the page scrolls, and close when it leaves the window', async () => {
    const account = await server.account('pro');
    for (let made = 0; made < 8; made++) await server.key(account, { scopes: ['*'] });
    const { page, check } = await signedIn({ browser, server }, { key: account.credential, width: 390 }, '/keys');
    await page.getByRole('region', { name: 'Browsers' }).getByText('this browser').waitFor();
    // A click on a button that is out of view: the scrolling that shows it is told after the menu is open.
    await page.evaluate(`{
      const button = [...document.querySelectorAll('main [aria-haspopup=menu]')].at(4);
      button.scrollIntoView({ block: 'center' });
      button.click();
    }`);
    await page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))');
    await page.keyboard.press('ArrowDown');
    expect(await focused(page)).toBe('New secret');
    await page.mouse.wheel(0, -60);
    await expect.poll(() => page.evaluate('scrollY')).toBeGreaterThan(0);
    await expect.poll(() => gap(page)).toBe(4);
    expect(await focused(page)).toBe('New secret');
    await page.keyboard.press('Enter');
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
    await page.getByRole('button', { name: 'Actions of' }).last().click();
    await page.getByRole('menuitem', { name: 'Revoke' }).waitFor();
    await page.evaluate('scrollTo(0, 0)');
    await expect.poll(() => page.getByRole('menu').count()).toBe(0);
    await check();
  });

  it('close by a second click on their button', async () => {
    const account = await server.account('pro');
    const { page } = await signedIn({ browser, server }, { key: account.credential }, '/keys');
    const button = page.getByRole('button', { name: 'Actions of full access' });
    await button.click();
    await page.getByRole('menuitem', { name: 'Revoke' }).waitFor();
    await button.click();
    expect(await page.getByRole('menu').count()).toBe(0);
  });

  it('stay open, with their focus, when a poll puts other rows above theirs, and act on their own', async () => {
    const account = await server.account();
    const hook = await startHookServer();
    const body = JSON.stringify({ url: `http://127.0.0.1:${hook.port}/hook` });
    const made = await server.send('/v1/webhooks', { method: 'POST', credential: account.credential, body });
    const { id } = made.json().response;
    const testHook = () => server.send(`/v1/webhooks/${id}/test`, { method: 'POST', credential: account.credential });
    await testHook();
    const { page, check } = await signedIn(
      { browser, server },
      { key: account.credential, width: 390 },
      `/events/${id}`,
    );
    const button = page.getByRole('button', { name: 'Actions of webhook.test' });
    await button.click({ timeout: 15_000 });
    await page.getByRole('menuitem', { name: 'Send again' }).waitFor();
    for (let sent = 0; sent < 3; sent++) await testHook();
    await expect.poll(() => button.count(), { timeout: 15_000 }).toBe(4);
    expect(await button.last().getAttribute('aria-expanded')).toBe('true');
    await expect.poll(() => gap(page)).toBe(4);
    expect(await focused(page)).toBe('Send again');
    const [first] = hook.calls;
    await expect.poll(() => hook.calls.length, { timeout: 15_000 }).toBe(4);
    await page.keyboard.press('Enter');
    await page.getByText('It will be sent again.').waitFor();
    await expect.poll(() => hook.calls.length, { timeout: 15_000 }).toBe(5);
    expect(hook.calls.at(-1)!.headers['webhook-id']).toBe(first!.headers['webhook-id']);
    await check();
  });

  it('stay with their file when another one comes before it in the list', async () => {
    const account = await server.account('pro');
    await upload(server, account, { query: { name: 'beta', private: 'true' }, filename: 'beta.png' });
    const { page, check } = await signedIn({ browser, server }, { key: account.credential }, '/files');
    const row = (name: string) => page.getByRole('row').filter({ hasText: name });
    await row('beta').waitFor();
    const choosing = page.waitForEvent('filechooser');
    await page.getByRole('button', { name: 'Upload files' }).click();
    // The list that the upload leads to arrives when the menu is open.
    const held = Promise.withResolvers<void>();
    let isUploaded = false;
    await page.route('**/v1/objects?*', async (route) => {
      // The list before the upload is that of the names which may be taken.
      if (route.request().method() === 'GET' && isUploaded) await held.promise;
      isUploaded ||= route.request().method() === 'POST';
      await route.continue();
    });
    const buffer = Buffer.from('A file that comes first. '.repeat(40));
    await (await choosing).setFiles([{ name: 'alpha.txt', mimeType: 'text/plain', buffer }]);
    await page.getByText('Uploaded: 1').waitFor();
    await row('beta')
      .getByRole('button', { name: /Actions for/ })
      .click();
    await page.keyboard.press('End');
    held.resolve();
    await expect.poll(() => page.locator('#row-0').textContent()).toContain('alpha');
    const menuButton = row('beta').getByRole('button', { name: /Actions for/ });
    expect(await menuButton.getAttribute('aria-expanded')).toBe('true');
    expect(await gap(page)).toBe(4);
    expect(await focused(page)).toBe('Delete');
    await page.keyboard.press('Escape');
    expect(await menuButton.evaluate((element) => element === element.ownerDocument.activeElement)).toBe(true);
    await page.keyboard.press('Enter');
    await page.getByRole('menuitem', { name: 'Delete' }).click();
    await page.getByRole('dialog', { name: /beta/ }).waitFor();
    await check();
  });
});
