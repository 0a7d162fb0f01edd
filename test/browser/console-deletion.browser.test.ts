import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';

import { noChromium } from '#test/support/chromium.ts';
import { signedIn } from '#test/support/console-flow.ts';
import { account, browser, server, withConsole } from '#test/support/console-in-test.ts';
import { someBytes, upload } from '#test/support/files.ts';

withConsole();

const open = (path = '/files', key = account.credential) => signedIn({ browser, server }, { key, width: 1440 }, path);

async function stored(...queries: ReadonlyArray<Readonly<Record<string, string>>>): Promise<void> {
  for (const query of queries) {
    const file = { query, filename: `${query.name}.png`, bytes: someBytes(600) };
    expect((await upload(server, account, file)).status).toBe(200);
  }
}

const row = (page: Page, name: string) => page.getByRole('row').filter({ hasText: name });

/** Lists the names of the files, and those in the trash. A job begins after the millisecond of its start. */
async function names(): Promise<{ readonly files: string[]; readonly kept: string[] }> {
  server.clock.advance(1);
  const { credential } = account;
  const ask = async (path: string) => (await server.send(path, { credential })).json().response;
  const nameOf = ({ id }: { readonly id: string }) => id.split('/').slice(2).join('/');
  const { objects } = await ask('/v1/objects?limit=1000');
  const { versions } = await ask('/v1/trash?limit=1000');
  return { files: objects.map(nameOf), kept: versions.map(nameOf) };
}

const dialog = (page: Page) => page.getByRole('dialog');
const remove = (page: Page) => dialog(page).getByRole('button', { name: 'Delete' }).click();

/** Chooses all rows and presses Delete. */
async function deleteAll(page: Page): Promise<void> {
  await page.getByRole('grid').focus();
  await page.keyboard.press('Control+a');
  await page.keyboard.press('Delete');
  await dialog(page).waitFor();
}

describe.skipIf(noChromium)(`deletions in the console${noChromium ? ` (skipped: ${noChromium})` : ''}`, () => {
  it('go to the trash for 30 days without any rule, and are undone by a key press', async () => {
    await stored({ name: 'one' }, { name: 'two' });
    const { page, check } = await open();
    await row(page, 'one').getByRole('checkbox').check();
    await page.getByRole('toolbar').getByRole('button', { name: 'Delete' }).click();
    await page.getByText('The trash keeps them for 30 days.').waitFor();
    await page.getByText('the oldest of them make space').waitFor();
    expect(await dialog(page).getByRole('textbox').count()).toBe(0);
    await expect.poll(() => page.evaluate('document.activeElement.textContent')).toBe('Cancel');
    await check();
    await remove(page);
    await page.getByText('Deleted: 1. The trash keeps them for now.').waitFor();
    expect(await names()).toEqual({ files: ['two.png'], kept: ['one.png'] });
    await check();
    await page.getByRole('button', { name: 'Undo' }).focus();
    await page.keyboard.press('Enter');
    await page.getByText('Restored: 1.').waitFor();
    await row(page, 'one').waitFor();
    expect(await names()).toEqual({ files: ['one.png', 'two.png'], kept: [] });
    expect(await page.getByRole('button', { name: 'Undo' }).count()).toBe(0);
  });

  it('of more than a hundred files want their number, and are undone together', async () => {
    await stored(...Array.from({ length: 101 }, (_, at) => ({ name: `f${at}` })));
    const { page, check } = await open();
    await row(page, 'f0').waitFor();
    await deleteAll(page);
    await page.getByRole('heading', { name: 'Delete 101 entries?' }).waitFor();
    await check();
    await remove(page);
    await page.getByText('Type the number 101.').waitFor();
    await page.getByLabel('Type 101 to go on').fill('100');
    await remove(page);
    expect((await names()).files).toHaveLength(101);
    await page.getByLabel('Type 101 to go on').fill('101');
    await page.keyboard.press('Enter');
    await page.getByText('Deleted: 101.').waitFor();
    expect((await names()).kept).toHaveLength(101);
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByText('Restored: 101.').waitFor();
    expect((await names()).files).toHaveLength(101);
  });

  it('of a folder say how many files it has, and bring back exactly what they took', async () => {
    await stored({ name: 'a', prefix: 'old' }, { name: 'b', prefix: 'old/deep', private: 'true' }, { name: 'c' });
    await stored({ name: 'before', prefix: 'old' });
    const body = JSON.stringify({ object: `pub/${account.id}/old/before.png`, keep_deleted_days: 30 });
    await server.send('/v1/objects', { method: 'DELETE', credential: account.credential, body });
    const { page } = await open();
    await row(page, 'old').getByRole('checkbox').check();
    await page.getByRole('toolbar').getByRole('button', { name: 'Delete' }).click();
    await page.getByText('2 files are deleted.').waitFor();
    await remove(page);
    await expect.poll(async () => (await names()).files).toEqual(['c.png']);
    await page.getByRole('button', { name: 'Undo' }).click();
    await expect.poll(async () => (await names()).files).toHaveLength(3);
    await page.getByText('Restored: 2.').waitFor();
    expect((await names()).kept).toEqual(['old/before.png']);
    await row(page, 'old').waitFor();
  });

  it('keep for the days that the account sets on the screen of the trash', async () => {
    await stored({ name: 'one' });
    const { page, go, check } = await open('/trash');
    await page.getByText('What is deleted in the console stays here for 30 days.').waitFor();
    await page.getByRole('button', { name: 'Change' }).click();
    await page.getByLabel('Days', { exact: true }).fill('7');
    await check();
    await page.keyboard.press('Enter');
    await page.getByText('stays here for 7 days').waitFor();
    await go('/files');
    await row(page, 'one').waitFor();
    await deleteAll(page);
    await page.getByText('The trash keeps them for 7 days.').waitFor();
  });

  it('cannot be undone if the account keeps nothing, and say so', async () => {
    const settings = JSON.stringify({ keep_deleted_days: 0 });
    const { credential } = account;
    await server.send('/v1/account/settings', { method: 'PUT', credential, body: settings });
    await stored({ name: 'one' });
    const { page } = await open();
    await row(page, 'one').waitFor();
    await deleteAll(page);
    await page.getByText('This cannot be undone: the trash keeps none of them.').waitFor();
    await remove(page);
    await page.getByText('Deleted: 1.').waitFor();
    expect(await page.getByRole('button', { name: 'Undo' }).count()).toBe(0);
    expect(await names()).toEqual({ files: [], kept: [] });
  });

  it('of a key that may only write in one folder are kept too, and its session empties what it sees', async () => {
    await stored({ name: 'one', prefix: 'mine' }, { name: 'two', prefix: 'other' });
    const scopes = ['blob:read', 'blob:write'] as const;
    const key = await server.key(account, { scopes: [...scopes], prefixes: ['mine'] });
    const { page, go } = await open('/files/all/mine', key);
    await row(page, 'one').waitFor();
    await deleteAll(page);
    await remove(page);
    await page.getByText('Deleted: 1.').waitFor();
    expect((await names()).kept).toEqual(['mine/one.png']);
    await go('/trash');
    await page.getByText('stays here for 30 days').waitFor();
    expect(await page.getByRole('button', { name: 'Change' }).count()).toBe(0);
    await page.getByRole('button', { name: 'Delete all of these for good' }).click();
    await dialog(page).getByRole('button', { name: 'Delete for good' }).click();
    await expect.poll(async () => (await names()).kept).toEqual([]);
  });
});
