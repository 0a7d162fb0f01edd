import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { noChromium, sharedChromium } from '#test/support/chromium.ts';
import { TestClock } from '#test/support/clock.ts';
import { findings, openScreen, tabTo } from '#test/support/console-screens.ts';
import { startTestServer, type TestAccount, type TestServer } from '#test/support/server.ts';
import { fillStorage } from '#test/support/storage-sample.ts';

let server: TestServer;
let browser: Browser;
let account: TestAccount;
beforeAll(async () => {
  // The browser compares times with its own clock.
  [server, browser] = await Promise.all([startTestServer({ clock: new TestClock(Date.now()) }), sharedChromium()]);
  account = await server.account('pro');
  await fillStorage(server, account, 'plain');
});
afterAll(async () => {
  await Promise.all([server?.stop(), browser?.close()]);
});

async function sharesOf({ credential }: TestAccount): Promise<any[]> {
  return (await server.send('/v1/shares', { credential })).json().response.shares;
}

describe.skipIf(noChromium)(`the share links${noChromium ? ` (skipped: ${noChromium})` : ''}`, () => {
  it('makes a link by mouse, shows it with a QR code, and the link works', async () => {
    const { page } = await openScreen({ browser, server }, 'shares', account.credential);
    await page.getByRole('button', { name: 'New link' }).click();
    await page.getByRole('button', { name: 'Open the folder contracts/' }).click();
    await page.getByRole('checkbox', { name: /contracts\/lease/ }).check();
    await page.getByRole('checkbox', { name: /contracts\/offer/ }).check();
    await page.getByLabel('Most downloads').fill('5');
    await page.getByRole('button', { name: 'Create the link' }).click();
    await page.getByRole('heading', { name: 'The link is ready' }).waitFor();
    await page.getByRole('img', { name: 'QR code of the link' }).waitFor();
    expect(await findings(page)).toEqual([]);
    const made = (await sharesOf(account)).find((share) => share.max_downloads === 5);
    expect(made).toMatchObject({ kind: 'files', files: 2, object: `prv/${account.id}/contracts/` });
    expect(await page.locator('dialog code').textContent()).toBe(made.url);
    expect((await fetch(made.url)).status).toBe(200);
  });

  it('shares a folder by keyboard alone', async () => {
    const { page } = await openScreen({ browser, server }, 'shares', account.credential);
    await page.getByRole('table').waitFor();
    await page.keyboard.press('n');
    await tabTo(page, 'A folder');
    await page.keyboard.press('Enter');
    await tabTo(page, 'Folder');
    await page.keyboard.type('photos/2026/');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'The link is ready' }).waitFor();
    expect((await sharesOf(account)).map(({ prefix }) => prefix)).toContain('photos/2026');
    await page.keyboard.press('Escape');
    await page.getByRole('heading', { name: 'The link is ready' }).waitFor({ state: 'detached' });
  });

  it('says what is missing when nothing is chosen', async () => {
    const { page } = await openScreen({ browser, server }, 'shares', account.credential);
    await page.getByRole('button', { name: 'New link' }).click();
    await page.getByRole('button', { name: 'Create the link' }).click();
    await page.getByText('Choose at least one file.').waitFor();
  });

  it('keeps the texts of the page open when they are emptied', async () => {
    const { page } = await openScreen({ browser, server }, 'shares', account.credential);
    await page.getByRole('button', { name: 'New link' }).click();
    await page.getByText('What the page says').click();
    const heading = page.getByLabel('Heading');
    await heading.fill('Offer');
    await heading.fill('');
    await page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))');
    expect(await heading.isVisible()).toBe(true);
  });

  it('changes only what was changed, and revokes after it has asked', async () => {
    const { page } = await openScreen({ browser, server }, 'shares', account.credential);
    await page.getByRole('button', { name: /^Actions for contracts\/lease/ }).click();
    await page.getByRole('menuitem', { name: 'Change' }).click();
    await page.getByLabel('Most downloads').fill('9');
    await page.getByLabel('Password', { exact: true }).selectOption('Remove it');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('The link is changed.').waitFor();
    // All links of the sample are of the same instant, so their order says nothing.
    const isLease = (share: any) => share.kind === 'file' && share.object.includes('/contracts/lease');
    const before = (await sharesOf(account)).find(isLease);
    expect(before).toMatchObject({ max_downloads: 9, password: false, landing: true });
    await page.getByRole('button', { name: /^Actions for contracts\/lease/ }).click();
    await page.getByRole('menuitem', { name: 'Revoke' }).click();
    await page.getByRole('heading', { name: 'Revoke this link?' }).waitFor();
    await page.getByRole('button', { name: 'Cancel' }).click();
    expect((await fetch(before.url)).status).toBe(200);
    await page.getByRole('button', { name: /^Actions for contracts\/lease/ }).click();
    await page.getByRole('menuitem', { name: 'Revoke' }).click();
    await page.getByRole('button', { name: 'Revoke' }).click();
    await page.getByText('The link is revoked.').waitFor();
    expect((await fetch(before.url)).status).toBe(404);
  });

  it('shows hostile titles as text at 390 px, and no way to change for a key that only reads', async () => {
    const other = await server.account('pro');
    await fillStorage(server, other);
    const reader = await server.key(other, { scopes: ['blob:read'] });
    const { page } = await openScreen({ browser, server }, 'shares', reader, { width: 390 });
    await page.getByRole('button', { name: '<img src=x onerror=alert(1)> \uFFFDgpj.exe', exact: true }).click();
    await page.getByText('<script>alert(1)</script>').waitFor();
    expect(await page.locator('dialog img, dialog script').count()).toBe(0);
    await page.getByRole('button', { name: 'Close' }).last().click();
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(390);
    expect(await page.getByRole('button', { name: 'New link' }).count()).toBe(0);
    await page
      .getByRole('button', { name: /^Actions for/ })
      .first()
      .click();
    expect(await page.getByRole('menuitem').allTextContents()).toEqual(['Details', 'QR code']);
    await page.keyboard.press('Escape');
    expect(await findings(page)).toEqual([]);
  });

  it('filters used up links, and says what links are for when there are none', async () => {
    const other = await server.account('pro');
    const { page } = await openScreen({ browser, server }, 'shares', other.credential);
    await page.getByText('No share links yet').waitFor();
    await fillStorage(server, other);
    await page.reload();
    await page.getByRole('button', { name: 'Used up' }).click();
    await page.getByText('No link is like that').waitFor();
    expect(await page.evaluate('location.search')).toBe('?show=used');
    await page.getByRole('button', { name: 'Active' }).click();
    await page.getByRole('table').waitFor();
  });
});
