import { readFile } from 'node:fs/promises';

import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';

import { noChromium, sharedChromium } from '#test/support/chromium.ts';
import { hostileName } from '#test/support/console-account.ts';
import { overflowOf } from '#test/support/console-checks.ts';
import { findings } from '#test/support/console-screens.ts';
import { openConsole, signInWith } from '#test/support/console.ts';
import { upload } from '#test/support/files.ts';
import { startTestServer, type TestAccount, type TestServer } from '#test/support/server.ts';
import { recordPage } from '#test/support/page-record.ts';

let server: TestServer;
let browser: Browser;
let account: TestAccount;
beforeAll(async () => {
  [server, browser] = await Promise.all([startTestServer(), sharedChromium()]);
  account = await server.account('pro');
  for (let count = 0; count < 105; count++) {
    const name = `picture-${count}`;
    await upload(server, account, { query: { name }, filename: `${name}.png` });
  }
  const body = JSON.stringify({ name: hostileName, scopes: ['blob:read'] });
  await server.send('/v1/account/keys', { method: 'POST', credential: account.credential, body });
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

describe.skipIf(noChromium)(`the activity in the console${noChromium ? ` (skipped: ${noChromium})` : ''}`, () => {
  it('lists what happened, page by page, and shows hostile names as text', async () => {
    const { page, problems, origins, origin } = await open('/activity');
    await page.getByText(hostileName, { exact: true }).first().waitFor();
    await page.getByText('100 of the 100 loaded entries.').waitFor();
    await page.getByRole('button', { name: 'Show more' }).click();
    await page.getByText('107 of the 107 loaded entries.').waitFor();
    expect(await page.locator('main script, main img').count()).toBe(0);
    expect(await findings(page)).toEqual([]);
    expect(problems).toEqual([]);
    expect([...origins]).toEqual([origin]);
  });

  it('filters, shows details by keyboard, and saves what is shown', async () => {
    const { page, problems } = await open('/activity?prefix=picture-');
    await page.getByText('100 of the 100 loaded entries.').waitFor();
    await page.getByLabel('What').selectOption('object.uploaded');
    await page.getByLabel('Contains').fill('picture-7');
    await page.getByText(/^\d+ of the 100 loaded entries/).waitFor();
    const details = page.getByRole('button', { name: 'Details: File uploaded' });
    const shown = await details.count();
    expect(shown).toBe(11);
    await details.first().focus();
    await page.keyboard.press('Enter');
    await page.getByRole('dialog', { name: 'File uploaded' }).getByText('"size"').waitFor();
    expect(await findings(page)).toEqual([]);
    await page.keyboard.press('Escape');
    await expect.poll(() => page.getByRole('dialog').count()).toBe(0);
    const downloading = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Save as CSV' }).click();
    const lines = (await readFile(await (await downloading).path(), 'utf8')).trim().split('\r\n');
    expect(lines).toHaveLength(12);
    await page.getByLabel('Contains').fill('no such thing');
    await page.getByRole('button', { name: 'Clear the filters' }).click();
    await page.getByText('100 of the 100 loaded entries.').waitFor();
    expect(new URL(page.url()).search).toBe('');
    await page.getByLabel('What').selectOption('key.created');
    await page.getByText(hostileName, { exact: true }).first().waitFor();
    expect(new URL(page.url()).search).toBe('?type=key.created');
    await page.getByLabel('File begins with').fill('picture-10');
    await page.keyboard.press('Enter');
    await page.getByText('No entry fits the filters').waitFor();
    await page.getByLabel('What').selectOption('object.uploaded');
    await page.getByText('6 of the 6 loaded entries.').waitFor();
    const choice = page.getByLabel('API key');
    await choice.selectOption((await choice.locator('option', { hasText: hostileName }).getAttribute('value'))!);
    await page.getByText('No entry fits the filters').waitFor();
    expect(problems).toEqual([]);
  });

  it('leads on from a filter that the server does not know', async () => {
    const { page } = await open('/activity?type=nothing');
    await page.getByText('INVALID_ACTIVITY_FILTER').waitFor();
    await page.getByRole('button', { name: 'Clear the filters' }).click();
    await page.getByText('100 of the 100 loaded entries.').waitFor();
  });

  it('says which plan is needed', async () => {
    const small = await server.account('hobby');
    const { page } = await open('/activity', { width: 390 }, small.credential);
    await page.getByText('This needs a larger plan.').waitFor();
    expect(await overflowOf(page)).toBe(0);
  });
});
