import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';

import { noChromium, sharedChromium } from '#test/support/chromium.ts';
import { overflowOf } from '#test/support/console-checks.ts';
import { findings } from '#test/support/console-screens.ts';
import { openConsole, signInWith } from '#test/support/console.ts';
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

/** Signs in and opens a screen. */
async function open(path: string, options: Parameters<typeof openConsole>[2] = {}, key = account.credential) {
  const origin = server.running.urls.api.replace(/\/$/, '');
  const opened = await openConsole(browser, `${origin}/console${path}`, options);
  onTestFinished(() => opened.context.close());
  recordPage(opened.page);
  await signInWith(opened.page, key);
  await opened.page.getByRole('heading', { level: 1 }).waitFor();
  return { ...opened, origin };
}

describe.skipIf(noChromium)(`the settings of the console${noChromium ? ` (skipped: ${noChromium})` : ''}`, () => {
  it('show the account, the version and what the browser keeps, and set everything back', async () => {
    const { page, problems, origins, origin } = await open('/settings', { width: 390 });
    await page.getByText(account.id).waitFor();
    await page.getByText(/^Cubby \d/).waitFor();
    await page.getByLabel('Colors').selectOption('dark');
    await page.getByLabel('Density').selectOption('compact');
    await page.getByLabel('Time zone').selectOption('America/Sao_Paulo');
    const kept = page.getByRole('region', { name: 'What this browser keeps' });
    await expect
      .poll(() => kept.locator('dt').allTextContents())
      .toEqual(['density', 'signed-in', 'theme', 'time-zone']);
    await page.getByText(/^Now: .*GMT-3/).waitFor();
    expect(await overflowOf(page)).toBe(0);
    expect(await findings(page)).toEqual([]);
    await kept.getByRole('button', { name: 'Set back' }).focus();
    await page.keyboard.press('Enter');
    await page.getByRole('dialog').waitFor();
    await page.keyboard.press('Enter');
    await expect.poll(() => kept.locator('dt').allTextContents()).toEqual(['signed-in']);
    expect(problems).toEqual([]);
    expect([...origins]).toEqual([origin]);
  });

  it('sign out', async () => {
    const { page } = await open('/settings');
    await page.locator('main').getByRole('button', { name: 'Sign out' }).click();
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
  });
});
