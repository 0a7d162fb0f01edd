import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';

import { noChromium, sharedChromium } from '#test/support/chromium.ts';
import { openConsole, signInWith } from '#test/support/console.ts';
import { findings } from '#test/support/console-screens.ts';
import { startTestServer, type TestAccount, type TestServer } from '#test/support/server.ts';
import { recordPage } from '#test/support/page-record.ts';

let server: TestServer;
let browser: Browser;
let account: TestAccount;
beforeAll(async () => {
  [server, browser] = await Promise.all([startTestServer(), sharedChromium()]);
  account = await server.account('pro');
});
afterAll(async () => {
  await Promise.all([server?.stop(), browser?.close()]);
});

async function open(path = '', options: Parameters<typeof openConsole>[2] = {}, door: 'api' | 'operator' = 'api') {
  const opened = await openConsole(browser, `${server.running.urls[door].replace(/\/$/, '')}/console${path}`, options);
  onTestFinished(() => opened.context.close());
  recordPage(opened.page);
  return opened;
}

describe.skipIf(noChromium)(`the console${noChromium ? ` (skipped: ${noChromium})` : ''}`, () => {
  it('signs in with a key, keeps the session over a reload, and signs out', async () => {
    const { page, problems, origins } = await open('/settings');
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    expect(await findings(page)).toEqual([]);
    await signInWith(page, account.credential);
    await page.getByRole('heading', { name: 'Settings' }).waitFor();
    expect(await page.evaluate('JSON.stringify([localStorage, sessionStorage, document.cookie])')).not.toContain(
      'cbk_',
    );
    await page.reload();
    await page.getByRole('heading', { name: 'Settings' }).waitFor();
    expect(await findings(page)).toEqual([]);
    await page.getByRole('button', { name: 'Account' }).click();
    await page.getByRole('menuitem', { name: 'Sign out' }).click();
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    expect(problems).toEqual([]);
    expect([...origins]).toEqual([server.running.urls.api.replace(/\/$/, '')]);
  });

  it('says what is wrong with a key, with its code, and empties the field', async () => {
    const { page } = await open();
    await page.getByLabel('API key').fill('cbk_wrong');
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await expect.poll(() => page.getByRole('alert').textContent()).toContain('The key is not valid here');
    expect(await page.getByRole('link', { name: 'ACCESS_DENIED' }).getAttribute('href')).toContain(
      '/errors/ACCESS_DENIED',
    );
    expect(await page.getByLabel('API key').inputValue()).toBe('');
  });

  it('hides the screens that the scopes of the key do not allow', async () => {
    const reader = await server.key(account, { scopes: ['blob:read'] });
    const { page } = await open();
    await signInWith(page, reader);
    const links = await page.getByRole('navigation').getByRole('link').allTextContents();
    expect(links).toContain('Files');
    expect(links).not.toContain('Keys and sessions');
    expect(links).not.toContain('AI');
    await page.goto(`${server.running.urls.api.replace(/\/$/, '')}/console/keys`);
    await page.getByRole('heading', { name: 'There is no such screen' }).waitFor();
  });

  it('returns to the sign-in with a note when the session ends', async () => {
    const key = await server.key(account, { scopes: ['*'] });
    const { page, context } = await open('/settings');
    await signInWith(page, key);
    await context.clearCookies();
    await page.reload();
    await page.getByText('Your session has ended. Sign in again.').waitFor();
  });

  it('goes to a screen from the palette, by keyboard alone, and focuses its heading', async () => {
    const { page, problems } = await open();
    await signInWith(page, account.credential);
    await page.getByRole('heading', { level: 1 }).waitFor();
    await page.keyboard.press('Control+k');
    await page.getByLabel('Name of a screen or an action').waitFor();
    await page.keyboard.type('sett');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Settings' }).waitFor();
    await expect.poll(() => page.evaluate('document.activeElement.textContent')).toBe('Settings');
    await page.goBack();
    await expect.poll(() => page.evaluate('location.pathname')).toBe('/console');
    expect(problems).toEqual([]);
  });

  it('has its navigation in a drawer at 390 px, and no content wider than the window', async () => {
    const { page } = await open('', { width: 390 });
    await signInWith(page, account.credential);
    expect(await page.getByRole('link', { name: 'Settings' }).isVisible()).toBe(false);
    await page.getByRole('button', { name: 'Open the menu' }).click();
    await page.getByRole('link', { name: 'Settings' }).click();
    await page.getByRole('heading', { name: 'Settings' }).waitFor();
    await expect.poll(() => page.getByRole('link', { name: 'Settings' }).isVisible()).toBe(false);
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(390);
    expect(await findings(page)).toEqual([]);
  });

  it('changes language, direction and colors at once, and keeps them', async () => {
    const { page } = await open('/settings');
    await signInWith(page, account.credential);
    await page.getByLabel('Language').selectOption('ar');
    await page.getByRole('heading', { name: 'الإعدادات' }).waitFor();
    expect(await page.evaluate('document.documentElement.dir')).toBe('rtl');
    await page.getByLabel('الألوان').selectOption('dark');
    await expect.poll(() => page.evaluate('getComputedStyle(document.body).backgroundColor')).toBe('rgb(18, 23, 26)');
    await page.reload();
    await page.getByRole('heading', { name: 'الإعدادات' }).waitFor();
    expect(await page.evaluate('getComputedStyle(document.body).backgroundColor')).toBe('rgb(18, 23, 26)');
    expect(await findings(page)).toEqual([]);
  });

  it('shows the screens of the operator at the operator’s door', async () => {
    const { page, problems } = await open('', {}, 'operator');
    await signInWith(page, await server.operatorKey());
    await page.getByRole('heading', { name: 'Overview' }).waitFor();
    expect(await page.getByRole('navigation').getByRole('link').allTextContents()).toEqual([
      'Overview',
      'Accounts',
      'Jobs',
      'Backups',
      'Audit log',
      'Settings',
    ]);
    expect(problems).toEqual([]);
  });

  it('says that the server cannot be reached, and goes on when it can', async () => {
    const { page, context } = await open('/settings');
    await signInWith(page, account.credential);
    await context.setOffline(true);
    await page.getByRole('button', { name: 'Account' }).click();
    await page.getByRole('menuitem', { name: 'Sign out' }).click();
    await page.getByText('The server cannot be reached.').first().waitFor();
    await context.setOffline(false);
    await page.getByRole('button', { name: 'Account' }).click();
    await page.getByRole('menuitem', { name: 'Sign out' }).click();
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
  });
});
