import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';

import { noChromium, sharedChromium } from '#test/support/chromium.ts';
import { hostileName } from '#test/support/console-account.ts';
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

/** Returns the keys of the account, as the API lists them. */
async function listed(): Promise<Array<Record<string, unknown>>> {
  return (await server.send('/v1/account/keys', { credential: account.credential })).json().response.keys;
}

describe.skipIf(noChromium)(`keys in the console${noChromium ? ` (skipped: ${noChromium})` : ''}`, () => {
  it('creates a restricted key by keyboard, and shows its secret once', async () => {
    const { page, problems, origins, origin } = await open('/keys');
    await page.getByRole('button', { name: 'Create a key' }).focus();
    await page.keyboard.press('Enter');
    await page.getByRole('dialog', { name: 'Create a key' }).waitFor();
    expect(await findings(page)).toEqual([]);
    await page.keyboard.type('Website');
    await page.getByLabel('Read and list files').focus();
    await page.keyboard.press('Space');
    await page.getByLabel('Ask models').check();
    await page.getByText('Restrict to folders or applications').click();
    await page.getByLabel('Folders').fill('site\nimages');
    await page.getByText('Limits for AI').click();
    await page.getByLabel('Requests a day').fill('5');
    await page.getByLabel('Expires').selectOption('On a day');
    await page.getByLabel('Last day').fill('2020-01-01');
    await page.getByText('A day from today on, within five years.').waitFor();
    await page.getByLabel('Expires').selectOption('After 30 days');
    await page.getByLabel('Name', { exact: true }).focus();
    await page.keyboard.press('Enter');
    const secret = page.getByRole('dialog', { name: 'Secret of Website' });
    await secret.getByText(/^cbk_/).waitFor();
    const key = (await secret.locator('code').textContent())!;
    await page.keyboard.press('Escape');
    expect(await secret.isVisible()).toBe(true);
    await page.getByRole('button', { name: 'I have copied it' }).click();
    await page.getByText('Only folders: site, images').waitFor();
    expect(await page.content()).not.toContain(key);
    expect(await listed()).toContainEqual(
      expect.objectContaining({
        name: 'Website',
        scopes: ['blob:read', 'ai:chat'],
        prefixes: ['site', 'images'],
        ai: { requests_per_day: 5 },
        expires_at: new Date(server.clock.now() + 30 * 86_400_000).toISOString(),
      }),
    );
    expect(problems).toEqual([]);
    expect([...origins]).toEqual([origin]);
  });

  it('changes limits, gives a new secret and revokes, and asks before', async () => {
    const body = JSON.stringify({ name: hostileName, scopes: ['ai:chat'], ai: { tokens_per_day: 7 } });
    await server.send('/v1/account/keys', { method: 'POST', credential: account.credential, body });
    const { page, problems } = await open('/keys');
    const choose = async (item: string) => {
      await page.getByRole('button', { name: `Actions of ${hostileName}` }).click();
      await page.getByRole('menuitem', { name: item }).click();
    };
    const found = async () => (await listed()).find(({ name }) => name === hostileName);
    await choose('Change limits for AI');
    await page.getByLabel('Tokens a day').fill('0');
    await page.getByText('A whole number from 1.').waitFor();
    await page.getByLabel('Tokens a day').fill('');
    await page.getByLabel('Requests a minute').fill('3');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('The limits have changed.').waitFor();
    expect((await found())?.ai).toEqual({ requests_per_minute: 3 });
    const last4 = (await found())?.last4;
    await choose('New secret');
    await page.getByRole('dialog').getByRole('button', { name: 'New secret' }).click();
    await page.getByRole('dialog').getByText(/^cbk_/).waitFor();
    await page.getByRole('button', { name: 'I have copied it' }).click();
    expect((await found())?.last4).not.toBe(last4);
    await choose('Revoke');
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
    expect(await found()).toBeDefined();
    await choose('Revoke');
    await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click();
    await page.getByText('The key is revoked.').waitFor();
    expect(await found()).toBeUndefined();
    expect(await page.locator('main script, main img').count()).toBe(0);
    expect(problems).toEqual([]);
  });

  it('lists browsers, ends another one, and warns about the own key', async () => {
    const other = await open('/settings');
    const { page, problems } = await open('/keys', { width: 390 });
    const sessions = page.getByRole('region', { name: 'Browsers' });
    await sessions.getByText('this browser').waitFor();
    const rows = sessions.locator('tbody tr').filter({ hasNotText: 'this browser' });
    const before = await rows.count();
    await rows.first().getByRole('button').click();
    await page.getByRole('dialog').getByRole('button', { name: 'End', exact: true }).click();
    await page.getByText('The session has ended.').waitFor();
    await expect.poll(() => rows.count()).toBe(before - 1);
    await other.page.reload();
    await page.getByRole('button', { name: 'Actions of full access' }).click();
    await page.getByRole('menuitem', { name: 'Revoke' }).click();
    await page.getByText('This is the key of your session. You will be signed out.').waitFor();
    await page.keyboard.press('Escape');
    expect(await overflowOf(page)).toBe(0);
    expect(await findings(page)).toEqual([]);
    expect(problems).toEqual([]);
  });
});
