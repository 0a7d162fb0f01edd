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
  [server, browser] = await Promise.all([startTestServer({ clock: new TestClock(Date.now()) }), sharedChromium()]);
  account = await server.account('pro');
});
afterAll(async () => {
  await Promise.all([server?.stop(), browser?.close()]);
});

async function requestsOf({ credential }: TestAccount): Promise<any[]> {
  return (await server.send('/v1/file-requests', { credential })).json().response.file_requests;
}

describe.skipIf(noChromium)(`the file requests${noChromium ? ` (skipped: ${noChromium})` : ''}`, () => {
  it('makes a request by mouse, with limits as people type them', async () => {
    const { page } = await openScreen({ browser, server }, 'requests', account.credential);
    await page.getByText('No file requests yet').waitFor();
    expect(await findings(page)).toEqual([]);
    await page.getByRole('button', { name: 'New request' }).first().click();
    await page.getByLabel('Name', { exact: true }).fill('Invoices of May');
    await page.getByLabel('Folder', { exact: true }).fill('invoices/may');
    await page.getByLabel('Message to the senders').fill('All of them, please.');
    await page.getByLabel('Deadline', { exact: true }).fill(`${new Date().getUTCFullYear() + 1}-01-02T10:00`);
    await page.getByLabel('Largest total size').fill('2 GB');
    await page.getByLabel('Largest file').fill('1.5 MB');
    await page.getByLabel('Allowed extensions').fill('PDF, .jpg');
    await page.getByLabel('Each sender types a name and gets a folder').check();
    expect(await findings(page)).toEqual([]);
    await page.getByRole('button', { name: 'Create the request' }).click();
    await page.getByRole('heading', { name: 'Send this link' }).waitFor();
    await page.getByRole('img', { name: 'QR code of the link' }).waitFor();
    const [made] = await requestsOf(account);
    expect(made).toMatchObject({
      title: 'Invoices of May',
      prefix: 'invoices/may',
      note: 'All of them, please.',
      deadline: `${new Date().getUTCFullYear() + 1}-01-02T10:00:00.000Z`,
      grace: 3600,
      max_files: null,
      max_bytes: 2 * 1024 ** 3,
      max_size: 1.5 * 1024 ** 2,
      allowed_extensions: ['pdf', 'jpg'],
      sender_folders: true,
    });
    expect(await page.locator('dialog code').textContent()).toBe(made.url);
  });

  it('shows what has arrived, changes, closes, opens again and deletes', async () => {
    const other = await server.account('pro');
    await fillStorage(server, other, 'plain');
    const request = (await requestsOf(other)).find(({ prefix }) => prefix === 'party');
    const form = new FormData();
    form.append('sender', 'Ann');
    form.append('file', new File(['photo'.padEnd(600)], 'beach.jpg'));
    const sent = await fetch(request.url, { method: 'POST', body: form, headers: { Accept: 'application/json' } });
    expect(sent.status).toBe(200);
    const { page } = await openScreen({ browser, server }, 'requests', other.credential);
    await page.getByRole('link', { name: 'Photos of the party' }).click();
    await page.getByRole('cell', { name: 'Ann/beach.jpg' }).waitFor();
    expect(await findings(page)).toEqual([]);
    await page.getByRole('button', { name: 'Change' }).click();
    await page.getByLabel('Most files in all').fill('7');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('7 (6 left)').waitFor();
    await page.getByRole('button', { name: 'Close', exact: true }).first().click();
    await page.getByRole('dialog').getByRole('button', { name: 'Close', exact: true }).last().click();
    await page.getByText('The request is closed.').waitFor();
    await page.getByRole('button', { name: 'Open again' }).click();
    await page.getByText('The request is open again.').waitFor();
    await page.getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await page.getByText('The request is deleted.').waitFor();
    expect(await requestsOf(other)).toHaveLength(1);
  });

  it('makes a request by keyboard alone, and an error keeps what was typed', async () => {
    const { page } = await openScreen({ browser, server }, 'requests', account.credential);
    // The heading can be there before the screen, which listens for keys.
    await page.getByRole('button', { name: 'New request' }).first().waitFor();
    await page.keyboard.press('n');
    // The dialog puts the focus into its first field.
    await page.locator('dialog[open] input:focus').waitFor();
    await page.keyboard.type('By keyboard');
    await page.keyboard.press('Tab');
    await page.keyboard.type('a..b');
    await page.keyboard.press('Enter');
    await page.getByRole('alert').getByText('INVALID_OBJECT_PREFIX').waitFor();
    expect(await page.getByLabel('Name', { exact: true }).inputValue()).toBe('By keyboard');
    await tabTo(page, 'Folder');
    await page.keyboard.type('typed');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Send this link' }).waitFor();
    const titles = (await requestsOf(account)).map(({ title, prefix }) => `${title} in ${prefix}`);
    expect(titles).toContain('By keyboard in typed');
  });

  it('shows hostile titles as text at 390 px, and filters by state', async () => {
    const other = await server.account('pro');
    await fillStorage(server, other);
    const { page } = await openScreen({ browser, server }, 'requests', other.credential, { width: 390 });
    await page.getByRole('link', { name: '<img src=x onerror=alert(1)> \uFFFDgpj.exe' }).click();
    await page.getByText('<script>alert(1)</script>').waitFor();
    expect(await page.locator('main img, main script').count()).toBe(0);
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(390);
    expect(await findings(page)).toEqual([]);
    await page.goBack();
    await page.getByRole('button', { name: 'Closed' }).click();
    await page.getByText('No request is in this state').waitFor();
  });
});
