import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';

import { noChromium } from '#test/support/chromium.ts';
import { signedIn } from '#test/support/console-flow.ts';
import { account, browser, server, withConsole } from '#test/support/console-in-test.ts';
import { someBytes, upload } from '#test/support/files.ts';

withConsole();

const open = (path = '/files') => signedIn({ browser, server }, { key: account.credential, width: 1440 }, path);

const stored = async (query: Readonly<Record<string, string>>, filename: string): Promise<string> =>
  (await upload(server, account, { query, filename, bytes: someBytes(600) })).json().response.id;

/** The ids and the names of all files. */
async function files(): Promise<Array<readonly [id: string, name: string]>> {
  const answer = await server.send('/v1/objects?fields=original_name', { credential: account.credential });
  const { objects } = answer.json().response;
  return objects.map((file: { id: string; original_name: string }) => [file.id, file.original_name] as const);
}

const shownNames = (page: Page) => page.locator('.file-row .cell-name button:not(.head *)').allTextContents();
const dialog = (page: Page) => page.getByRole('dialog');
const row = (page: Page, name: string) => page.getByRole('row').filter({ hasText: name });

describe.skipIf(noChromium)(`names in the console${noChromium ? ` (skipped: ${noChromium})` : ''}`, () => {
  it('are those that people gave, in one order, whatever the keys', async () => {
    await stored({ name: 'z1' }, 'alpha.txt');
    await stored({ name: 'b1', private: 'true' }, 'File 9.txt');
    await stored({ name: 'a1' }, 'file 10.txt');
    await stored({ name: 'in', prefix: 'papers' }, 'in.txt');
    const { page, check } = await open();
    await row(page, 'alpha.txt').waitFor();
    await expect.poll(() => shownNames(page)).toEqual(['papers', 'alpha.txt', 'File 9.txt', 'file 10.txt']);
    const head = page.getByRole('columnheader', { name: 'Name', exact: true });
    await head.getByRole('button').click();
    await expect.poll(() => shownNames(page)).toEqual(['papers', 'file 10.txt', 'File 9.txt', 'alpha.txt']);
    expect(await head.getAttribute('aria-sort')).toBe('descending');
    await check();
  });

  it('are changed without the address of the file, and with it if the person wishes', async () => {
    const id = await stored({ name: 'x1', private: 'true' }, 'plan.txt');
    const { page, check } = await open();
    await row(page, 'plan.txt').waitFor();
    await page.getByRole('grid').focus();
    await page.keyboard.press('F2');
    // The extension stays as it is, because only what is before it is chosen.
    await page.keyboard.type('Été: "Plan"');
    await check();
    await page.keyboard.press('Enter');
    await row(page, 'Été: "Plan".txt').waitFor();
    expect(await files()).toEqual([[id, 'Été: "Plan".txt']]);

    await page.keyboard.press('F2');
    await dialog(page).getByLabel('New name').fill('a/b.txt');
    await page.keyboard.press('Enter');
    await page.getByText('Up to 255 characters, without /').waitFor();
    await dialog(page).getByLabel('New name').fill('Summer.txt');
    await dialog(page).getByLabel('Change the key too').check();
    await expect.poll(() => dialog(page).getByLabel('Key', { exact: true }).inputValue()).toBe('Summer');
    await check();
    await dialog(page).getByRole('button', { name: 'Rename' }).click();
    await row(page, 'Summer.txt').waitFor();
    await expect.poll(files).toEqual([[expect.stringMatching(/\/Summer_[a-z2-7]{16}\.txt$/), 'Summer.txt']]);
  });

  it('turn no text around, and name the file in its dialogs and details', async () => {
    await stored({ name: 'x1', private: 'true' }, 'photo\u202Egpj.exe.bin');
    const shown = 'photo\uFFFDgpj.exe.bin';
    const { page, check } = await open();
    await page.getByRole('button', { name: shown, exact: true }).click();
    const details = page.getByRole('complementary', { name: `Details of ${shown}` });
    await details.getByText(/^x1_[a-z2-7]{16}\.bin$/).waitFor();
    await details.getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('heading', { name: `Delete ${shown}?` }).waitFor();
    expect(await page.evaluate('document.body.innerText')).not.toMatch(/[\u202a-\u202e]/);
    await check();
    await dialog(page).getByRole('button', { name: 'Delete' }).click();
    await expect.poll(files).toEqual([]);
    await page.getByRole('link', { name: 'Trash' }).click();
    await page.getByRole('link', { name: shown }).waitFor();
    await check();
  });
});
