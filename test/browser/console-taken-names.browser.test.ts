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

interface Listed {
  readonly id: string;
  readonly original_name: string;
  readonly private: boolean;
}

async function files(): Promise<Listed[]> {
  const path = '/v1/objects?fields=original_name';
  return (await server.send(path, { credential: account.credential })).json().response.objects;
}

const names = async () => (await files()).map((file) => `${file.original_name} ${file.private ? 'private' : 'public'}`);

async function kept(): Promise<string[]> {
  const { versions } = (await server.send('/v1/trash', { credential: account.credential })).json().response;
  return versions.map(({ id }: { readonly id: string }) => id);
}

/** Drops files with these names on the page. */
const drop = (page: Page, ...dropped: string[]) =>
  page.evaluate(`{
    const transfer = new DataTransfer();
    for (const name of ${JSON.stringify(dropped)})
      transfer.items.add(new File(['A text that is long enough. '.repeat(30)], name, { type: 'text/plain' }));
    const drop = new DragEvent('drop', { bubbles: true, dataTransfer: transfer });
    document.querySelector('.drop-zone').dispatchEvent(drop);
  }`);

const question = (page: Page) => page.getByRole('dialog');
const answer = (page: Page, name: string) => question(page).getByRole('button', { name, exact: true }).click();

describe.skipIf(noChromium)(`names that are taken${noChromium ? ` (skipped: ${noChromium})` : ''}`, () => {
  it('are asked about once for all, and one press uploads nothing', async () => {
    await stored({ name: 'x1', private: 'true' }, 'plan.txt');
    await stored({ name: 'x2' }, 'Notes 2026.txt');
    const { page, check } = await open();
    await page.getByRole('grid').waitFor();
    await drop(page, 'plan.txt', 'new.txt', 'Notes 2026.txt');
    await page.getByText('2 of 3 files have the name of a file in the same folder.').waitFor();
    await page.getByText('Private files that are replaced go to the trash for 30 days.').waitFor();
    await page.getByText('Public files stay public.').waitFor();
    await expect.poll(() => page.evaluate('document.activeElement.textContent')).toBe('Cancel');
    await check();
    await page.keyboard.press('Enter');
    await expect.poll(() => question(page).count()).toBe(0);
    expect((await names()).sort()).toEqual(['Notes 2026.txt public', 'plan.txt private']);
  });

  it('are replaced by files that are as public, and the private ones go to the trash', async () => {
    const [hidden, shown] = [
      await stored({ name: 'x1', private: 'true' }, 'plan.txt'),
      await stored({ name: 'x2' }, 'a.txt'),
    ];
    await stored({ name: 'same' }, 'same.txt');
    const { page } = await open();
    await page.getByRole('grid').waitFor();
    await drop(page, 'plan.txt', 'a.txt', 'same.txt');
    await answer(page, 'Replace');
    await page.getByText('Uploaded: 3').waitFor();
    await expect
      .poll(async () => (await names()).sort())
      .toEqual([...['a.txt public', 'plan.txt private', 'same.txt public']]);
    // One has the same address, and needs no place in the trash.
    expect((await kept()).sort()).toEqual([hidden, shown].sort());
    expect((await files()).map(({ id }) => id)).toContain(`pub/${account.id}/same.txt`);
  });

  it('are kept beside new ones with a number', async () => {
    await stored({ name: 'x1', private: 'true' }, 'plan.txt');
    await stored({ name: 'x2', private: 'true' }, 'plan (2).txt');
    const { page } = await open();
    await page.getByRole('grid').waitFor();
    await drop(page, 'plan.txt');
    await answer(page, 'Keep both');
    await page.getByText('Uploaded: 1').waitFor();
    expect((await names()).sort()).toEqual(['plan (2).txt private', 'plan (3).txt private', 'plan.txt private']);
    expect(await kept()).toEqual([]);
  });

  it('are skipped, and the others are uploaded', async () => {
    await stored({ name: 'x1', private: 'true', prefix: 'in' }, 'plan.txt');
    await stored({ name: 'x1', private: 'true' }, 'new.txt');
    const { page } = await open('/files/all/in');
    await page.getByRole('grid').waitFor();
    await drop(page, 'plan.txt', 'new.txt');
    await page.getByText('1 of 2 files have').waitFor();
    await answer(page, 'Skip these');
    await page.getByText('Uploaded: 1').waitFor();
    const inFolder = (await files()).filter(({ id }) => id.includes('/in/')).map((file) => file.original_name);
    expect(inFolder.sort()).toEqual(['new.txt', 'plan.txt']);
  });
});

describe.skipIf(noChromium)(`visibility${noChromium ? ` (skipped: ${noChromium})` : ''}`, () => {
  it('of what was uploaded is shown and changed in the panel', async () => {
    const { page, check } = await open();
    await page.getByText('This folder is empty').waitFor();
    await drop(page, 'a.txt', 'b.txt');
    const panel = page.getByRole('region', { name: 'Uploads' });
    await panel.getByText('Private: 2').waitFor();
    await panel.getByRole('button', { name: 'Make public' }).click();
    await page.getByText('Anybody with the address can read it.').waitFor();
    await check();
    await question(page).getByRole('button', { name: 'Make public' }).click();
    await panel.getByText('Anybody with the address can read these: 2').waitFor();
    expect((await names()).sort()).toEqual(['a.txt public', 'b.txt public']);
    await panel.getByRole('button', { name: 'Make private' }).click();
    await panel.getByText('Private: 2').waitFor();
    expect((await names()).sort()).toEqual(['a.txt private', 'b.txt private']);
    await expect.poll(() => page.locator('.file-row .badge.public').count()).toBe(0);
  });

  it('of a public file becomes private in the dialog that shares it, and the link leads to it', async () => {
    await stored({ name: 'open' }, 'open.txt');
    const { page, check } = await open();
    const row = page.getByRole('row').filter({ hasText: 'open' });
    await row.getByRole('button', { name: /Actions for/ }).click();
    await page.getByRole('menuitem', { name: 'Share' }).click();
    await page.getByText('Public files can be read').waitFor();
    await check();
    await page.getByRole('button', { name: 'Make private' }).click();
    await expect.poll(() => page.getByText('Public files can be read').count()).toBe(0);
    await page.getByRole('button', { name: 'Create the link' }).click();
    await page.getByRole('img', { name: 'QR code of the link' }).waitFor();
    const [file] = await files();
    expect(file!.private).toBe(true);
    const { shares } = (await server.send('/v1/shares', { credential: account.credential })).json().response;
    expect(shares[0].object).toBe(file!.id);
  });

  it('of the files of a folder becomes private beside its rule', async () => {
    await stored({ name: 'open', prefix: 'contracts' }, 'open.txt');
    const { page } = await open('/rules');
    await page.getByRole('button', { name: 'New rule' }).first().click();
    await page.getByLabel('Folder', { exact: true }).fill('contracts');
    await page.getByLabel('Visibility').selectOption('yes');
    await page.getByText('1 files here are public').waitFor();
    await page.getByRole('button', { name: 'Make private' }).click();
    await question(page).last().getByRole('button', { name: 'Make private' }).click();
    // A job begins after the millisecond of its start.
    await expect
      .poll(async () => {
        server.clock.advance(1);
        return names();
      })
      .toEqual(['open.txt private']);
    await expect.poll(() => page.getByText('1 files here are public').count()).toBe(0);
  });
});

describe.skipIf(noChromium)(`a reload${noChromium ? ` (skipped: ${noChromium})` : ''}`, () => {
  it('is not blamed for files that were refused before it', async () => {
    const { page } = await open();
    await page.getByText('This folder is empty').waitFor();
    await drop(page, 'program.exe');
    await page.getByText('Files of this type may not be uploaded.').waitFor();
    await page.reload();
    await page.getByText('This folder is empty').waitFor();
    expect(await page.getByText('has stopped these uploads').count()).toBe(0);
    expect(await page.getByRole('region', { name: 'Uploads' }).count()).toBe(0);
  });
});
