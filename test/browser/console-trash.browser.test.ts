import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { noChromium, sharedChromium } from '#test/support/chromium.ts';
import { TestClock } from '#test/support/clock.ts';
import { findings, openScreen, tabTo } from '#test/support/console-screens.ts';
import { startTestServer, type TestAccount, type TestServer } from '#test/support/server.ts';
import { fillStorage } from '#test/support/storage-sample.ts';

let server: TestServer;
let browser: Browser;
beforeAll(async () => {
  [server, browser] = await Promise.all([startTestServer({ clock: new TestClock(Date.now()) }), sharedChromium()]);
});
afterAll(async () => {
  await Promise.all([server?.stop(), browser?.close()]);
});

async function filled(): Promise<TestAccount> {
  const account = await server.account('enterprise');
  await fillStorage(server, account, 'plain');
  return account;
}

async function trashOf({ credential }: TestAccount): Promise<any[]> {
  return (await server.send('/v1/trash', { credential })).json().response.versions;
}

describe.skipIf(noChromium)(`the trash${noChromium ? ` (skipped: ${noChromium})` : ''}`, () => {
  it('says what it is for while it is empty', async () => {
    const account = await server.account('hobby');
    const { page } = await openScreen({ browser, server }, 'trash', account.credential);
    await page.getByText('The trash is empty').waitFor();
    expect(await findings(page)).toEqual([]);
    await page.getByRole('link', { name: 'To the rules' }).click();
    await page.getByRole('heading', { name: 'Rules and tokens' }).waitFor();
  });

  it('restores one by mouse and removes several after it has asked', async () => {
    const account = await filled();
    const { page } = await openScreen({ browser, server }, 'trash', account.credential);
    await page.getByText('The trash holds 4 versions').waitFor();
    expect(await findings(page)).toEqual([]);
    await page.getByRole('button', { name: /^Restore: contracts\/draft/ }).click();
    await page.getByText('Restored: 1').waitFor();
    expect(await trashOf(account)).toHaveLength(3);
    await page.getByLabel(/^Select contracts\/old/).check();
    await page.getByLabel(/^Select contracts\/scan/).check();
    await page.getByRole('button', { name: 'Delete for good' }).click();
    await page.getByRole('heading', { name: 'Delete 2 for good?' }).waitFor();
    await page.getByRole('button', { name: 'Cancel' }).click();
    expect(await trashOf(account)).toHaveLength(3);
    await page.getByRole('button', { name: 'Delete for good' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete for good' }).click();
    await page.getByText('Deleted for good: 2').waitFor();
    expect(await trashOf(account)).toHaveLength(1);
  });

  it('filters by folder, and restores over a file only after it has asked', async () => {
    const account = await filled();
    const { page } = await openScreen({ browser, server }, 'trash', account.credential);
    await page.getByLabel('Folder or beginning of the name').fill('photos/');
    await expect.poll(() => page.getByRole('row').count()).toBe(2);
    await page.getByRole('link', { name: 'photos/2026/sea.jpg' }).click();
    await page.getByRole('heading', { name: 'photos/2026/sea.jpg' }).waitFor();
    await page.getByText('The file as it is now').waitFor();
    expect(await findings(page)).toEqual([]);
    const { credential, id } = account;
    const address = `/v1/objects/info?object=pub/${id}/photos/2026/sea.jpg`;
    const before = (await server.send(address, { credential })).json().response.etag;
    await page.getByRole('button', { name: /^Restore: / }).click();
    await page.getByRole('heading', { name: 'A file with this name is there' }).waitFor();
    await page.getByRole('button', { name: 'Replace' }).click();
    await page.getByText('Restored: 1').waitFor();
    expect((await server.send(address, { credential })).json().response.etag).not.toBe(before);
  });

  it('selects and removes all by keyboard alone', async () => {
    const account = await filled();
    const { page } = await openScreen({ browser, server }, 'trash', account.credential);
    await page.getByRole('table').waitFor();
    await page.getByRole('heading', { level: 1 }).focus();
    await page.keyboard.press('Control+a');
    await page.getByText('Selected: 4').waitFor();
    await page.keyboard.press('Delete');
    await page.getByRole('heading', { name: 'Delete 4 for good?' }).waitFor();
    // The focus is not on the red button, but on the one before it.
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await page.getByText('The trash is empty').waitFor();
    expect(await trashOf(account)).toEqual([]);
  });

  it('empties all that a filter shows, at 390 px, and leaves the rest', async () => {
    const account = await filled();
    const { page } = await openScreen({ browser, server }, 'trash?prefix=contracts/', account.credential, {
      width: 390,
    });
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(390);
    await page.getByRole('table').waitFor();
    await tabTo(page, 'Delete all of these for good');
    await page.keyboard.press('Enter');
    await page.getByRole('dialog').getByRole('button', { name: 'Delete for good' }).click();
    await page.getByText('Nothing in the trash begins like that').waitFor();
    expect((await trashOf(account)).map(({ id }) => id)).toEqual([`pub/${account.id}/photos/2026/sea.jpg`]);
  });

  it('begins with the folder of a restricted key, and shows a reader no way to change', async () => {
    const account = await filled();
    const key = await server.key(account, { scopes: ['blob:read'], prefixes: ['contracts'] });
    const { page } = await openScreen({ browser, server }, 'trash', key);
    await expect.poll(() => page.getByRole('row').count()).toBe(4);
    expect(await page.getByLabel('Folder or beginning of the name').inputValue()).toBe('contracts/');
    expect(await page.getByRole('checkbox').count()).toBe(0);
    expect(await page.getByRole('button', { name: /Restore|Delete/ }).count()).toBe(0);
  });
});
