import { readFile } from 'node:fs/promises';

import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';

import { startChatUpstream, type ChatUpstream } from '#mocks/chat-upstream.ts';
import { noChromium, sharedChromium } from '#test/support/chromium.ts';
import { clockToFill, fillAccount } from '#test/support/console-account.ts';
import { overflowOf } from '#test/support/console-checks.ts';
import { findings } from '#test/support/console-screens.ts';
import { openConsole, signInWith } from '#test/support/console.ts';
import { eventually } from '#test/support/eventually.ts';
import { startTestServer, type TestAccount, type TestServer } from '#test/support/server.ts';
import { recordPage } from '#test/support/page-record.ts';

let server: TestServer;
let browser: Browser;
let upstream: ChatUpstream;
let account: TestAccount;
beforeAll(async () => {
  upstream = await startChatUpstream();
  const env = { CUBBY_AI_UPSTREAM_URL: upstream.url };
  [server, browser] = await Promise.all([startTestServer({ clock: clockToFill(), env }), sharedChromium()]);
  account = await server.account('pro');
  await fillAccount(server, account, upstream);
  // Requests are stored up to two seconds later, and what was read before that is cached. These are of this month.
  const read = async (path: string) => (await server.send(path, { credential: account.credential })).json().response;
  for (let count = 0; count < 6; count++) await read('/v1/account');
  const isCounted = async () => (await read('/v1/account/usage')).days.at(-1).requests > 5;
  await eventually(async () => expect(await isCounted()).toBe(true));
});
afterAll(async () => {
  await Promise.all([server?.stop(), browser?.close(), upstream?.close()]);
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

describe.skipIf(noChromium)(`the usage in the console${noChromium ? ` (skipped: ${noChromium})` : ''}`, () => {
  it('shows storage, files, the bill and the limits of models', async () => {
    const { page, problems, origins, origin } = await open('/usage');
    await page.getByText('of the 200 GiB that the plan pro includes.').waitFor();
    await page.getByText('Nothing is stored above the plan. Each started GiB costs').waitFor();
    await expect.poll(() => page.getByText('12', { exact: true }).count()).toBeGreaterThan(0);
    await page.getByText('0 of 5,000', { exact: true }).waitFor();
    await page.locator('.chart canvas').nth(3).waitFor();
    const card = page.locator('section', { has: page.getByRole('heading', { name: 'Requests of this month' }) });
    expect(Number((await card.locator('.figure').textContent())!.replace(/\D/g, ''))).toBeGreaterThan(5);
    expect(await findings(page)).toEqual([]);
    expect(problems).toEqual([]);
    expect([...origins]).toEqual([origin]);
  });

  it('writes the value under the pointer, or of the day chosen with the arrow keys', async () => {
    const { page } = await open('/usage');
    const chart = page.getByRole('img', { name: 'Requests' });
    await page.locator('.chart canvas').nth(1).waitFor();
    await chart.hover();
    const value = page.locator('figure', { has: chart }).getByRole('status');
    await expect.poll(() => value.textContent()).toMatch(/20\d\d: \d/);
    await chart.focus();
    await page.keyboard.press('ArrowRight');
    const first = await value.textContent();
    await page.keyboard.press('ArrowRight');
    await expect.poll(() => value.textContent()).not.toBe(first);
  });

  it('has the numbers as a table and as a file', async () => {
    const { page } = await open('/usage');
    await page.getByText('Show the numbers').focus();
    await page.keyboard.press('Enter');
    const rows = page.getByRole('region', { name: 'Over time' }).getByRole('row');
    await expect.poll(() => rows.count()).toBe(14);
    await page.getByLabel('Period').selectOption('7');
    await page.getByText('Show the numbers').click();
    await expect.poll(() => rows.count()).toBe(8);
    const downloading = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Save as CSV' }).click();
    const download = await downloading;
    expect(download.suggestedFilename()).toBe('cubby-usage.csv');
    const lines = (await readFile(await download.path(), 'utf8')).split('\r\n').slice(0, -1);
    expect(lines[0]).toBe('\uFEFFday,mean_bytes,mean_files,requests,egress_bytes');
    expect(lines).toHaveLength(8);
    expect(lines[1]).toMatch(/^20\d\d-\d\d-\d\d,\d+(\.\d+)?,\d+(\.\d+)?,\d+,\d+$/);
  });

  it('fits 390 px, and has no part for models if the key may not see them', async () => {
    const key = await server.key(account, { scopes: ['blob:read'] });
    const { page, problems } = await open('/usage', { width: 390, colorScheme: 'dark' }, key);
    await page.locator('.chart canvas').nth(1).waitFor();
    expect(await overflowOf(page)).toBe(0);
    expect(await page.getByRole('heading', { name: 'AI' }).count()).toBe(0);
    expect(await findings(page)).toEqual([]);
    expect(problems).toEqual([]);
  });
});
