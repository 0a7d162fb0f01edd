import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';

import { createApp } from '#server/features/apps/create-app.ts';
import { noChromium } from '#test/support/chromium.ts';
import { signedIn } from '#test/support/console-flow.ts';
import { account, browser, server, withConsole } from '#test/support/console-in-test.ts';
import { upload } from '#test/support/files.ts';

withConsole();

const open = (path = '/files', width = 1440) => signedIn({ browser, server }, { key: account.credential, width }, path);

async function stored(...queries: ReadonlyArray<Readonly<Record<string, string>>>): Promise<void> {
  for (const query of queries)
    expect((await upload(server, account, { query, filename: `${query.name}.png` })).status).toBe(200);
}

const row = (page: Page, name: string) => page.getByRole('row').filter({ hasText: name });
const count = async (prefix = '') => {
  const query = prefix === '' ? '?limit=1000' : `?limit=1000&prefix=${prefix}`;
  const answer = await server.send(`/v1/objects${query}`, { credential: account.credential });
  return answer.json().response.objects.length as number;
};

describe.skipIf(noChromium)(`a first use of the console${noChromium ? ` (skipped: ${noChromium})` : ''}`, () => {
  it('opens a folder with a dot in its name, also by its address', async () => {
    await stored({ name: 'inside', prefix: 'site.v2' });
    const { page, check } = await open('/files/all/site.v2');
    await row(page, 'inside').waitFor();
    await page.reload();
    await row(page, 'inside').waitFor();
    await check();
  });

  it('shows files as they arrive, and the panel gets out of the way when all are stored', async () => {
    const { page } = await open();
    await page.getByText('This folder is empty').waitFor();
    const choosing = page.waitForEvent('filechooser');
    await page.getByRole('button', { name: 'Upload files' }).click();
    const buffer = Buffer.from('A text that is long enough. '.repeat(30));
    const files = Array.from({ length: 12 }, (_, at) => ({ name: `text-${at}.txt`, mimeType: 'text/plain', buffer }));
    await (await choosing).setFiles(files);
    await page.getByText('Uploaded: 12').waitFor();
    await expect.poll(() => page.locator('.upload-panel li').count()).toBe(0);
    await expect.poll(() => page.locator('.file-row:not(.head)').count()).toBe(12);
  });

  it('says before a deletion whether it can be undone, and after it where the files are', async () => {
    await stored({ name: 'one', prefix: 'kept' }, { name: 'two', prefix: 'lost' });
    const body = JSON.stringify({ rules: [{ prefix: 'kept', keep_deleted_days: 30 }], keep_deleted_days: 0 });
    const headers = { 'Content-Type': 'application/json' };
    const { credential } = account;
    await server.send('/v1/account/settings', { method: 'PUT', credential, headers, body });
    const { page, go, check } = await open('/files/all/lost');
    await row(page, 'two').getByRole('checkbox').check();
    await page.getByRole('toolbar').getByRole('button', { name: 'Delete' }).click();
    await page.getByText('This cannot be undone').waitFor();
    await page.keyboard.press('Escape');
    await go('/files/all/kept');
    await row(page, 'one').getByRole('checkbox').check();
    await page.getByRole('toolbar').getByRole('button', { name: 'Delete' }).click();
    await page.getByText('for 30 days').waitFor();
    await check();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await page.getByText('Deleted: 1. The trash keeps them for now.').waitFor();
    await page.getByRole('link', { name: 'Trash' }).click();
    await page
      .getByRole('button', { name: /^Restore/ })
      .last()
      .click();
    await expect.poll(() => count('kept')).toBe(1);
  });

  it('says before a link is made that public files need no link', async () => {
    await stored({ name: 'open' }, { name: 'closed', private: 'true' });
    const { page, check } = await open();
    const share = async (name: string) => {
      await row(page, name)
        .getByRole('button', { name: /Actions for/ })
        .click();
      await page.getByRole('menuitem', { name: 'Share' }).click();
      await page.getByLabel('Most downloads').waitFor();
    };
    await share('closed');
    expect(await page.getByText('Public files can be read').count()).toBe(0);
    await page.keyboard.press('Escape');
    await share('open');
    await page.getByText('Public files can be read').waitFor();
    await check();
  });

  it('gives a link to another program of the phone', async () => {
    await stored({ name: 'photo', private: 'true' });
    const { page } = await open('/files', 390);
    await page.evaluate('navigator.share = async (given) => void (globalThis.given = given)');
    await page.getByRole('button', { name: /^photo/ }).click();
    await page.getByRole('complementary').getByRole('button', { name: 'Share' }).click();
    await page.getByRole('button', { name: 'Create the link' }).click();
    await page.getByRole('button', { name: 'Send' }).click();
    const { shares } = (await server.send('/v1/shares', { credential: account.credential })).json().response;
    expect(await page.evaluate('globalThis.given')).toEqual({ url: shares[0].url });
  });

  it('chooses tiles by touch', async () => {
    await stored({ name: 'one', private: 'true' }, { name: 'two', private: 'true' });
    const { page, check } = await open('/files', 390);
    await page.getByRole('button', { name: 'As tiles' }).click();
    for (const name of ['one', 'two']) await page.locator('.tile', { hasText: name }).locator('.tile-tick').tap();
    await page.getByText('2 chosen').waitFor();
    expect(await page.getByRole('complementary').count()).toBe(0);
    await check();
    await page.locator('.tile', { hasText: 'one' }).locator('.tile-tick').tap();
    await page.getByText('1 chosen').waitFor();
  });

  it('chooses the rows that are not loaded too, when it is asked to', async () => {
    const { page, go } = await open('/settings');
    await page.route('**/v1/objects?*', (route) => {
      const from = Number(new URL(route.request().url()).searchParams.get('cursor') ?? 0);
      const objects = Array.from({ length: 100 }, (_, at) => ({
        id: `prv/${account.id}/file-${from + at}.png`,
        size: 3000,
        created_at: '2026-04-21T09:30:00.000Z',
        private: true,
        url: null,
        etag: 'e4d909c290d0fb1ca068ffaddf22cbd0',
      }));
      const next = from < 700 && { continuationToken: String(from + 100) };
      return route.fulfill({ json: { status: 'success', response: { objects, folders: [], ...next } } });
    });
    await go('/files');
    // These are loaded to put them in the order of their names.
    await page.getByText('600 entries so far').waitFor();
    await page.getByRole('grid').focus();
    await page.keyboard.press('Control+a');
    await page.getByText('600 chosen').waitFor();
    await page.getByRole('button', { name: 'Choose all in this folder' }).click();
    await page.getByText('800 chosen').waitFor();
    await page.getByRole('button', { name: 'Choose none' }).click();
    await page.getByRole('toolbar').waitFor({ state: 'detached' });
  });

  it('ends the job of a folder when its change is cancelled', async () => {
    await stored(...Array.from({ length: 6 }, (_, at) => ({ name: `file-${at}`, prefix: 'old' })));
    const { page } = await open();
    await row(page, 'old').getByRole('checkbox').check();
    await page.getByRole('toolbar').getByRole('button', { name: 'Move' }).click();
    await page.getByLabel('Folder', { exact: true }).fill('new');
    // The clock stands still, so the job waits.
    await page.keyboard.press('Enter');
    await page.getByRole('dialog', { name: 'Moving' }).waitFor();
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
    await page.getByText('Cancelled. Changed before: 0.').waitFor();
    const { jobs } = (await server.send('/v1/folders/jobs', { credential: account.credential })).json().response;
    expect(jobs[0]).toMatchObject({ state: 'cancelled' });
  });

  it('suggests the folders that there are when files are moved', async () => {
    await stored({ name: 'one' }, { name: 'two', prefix: 'archive/2026' });
    const { page, check } = await open();
    await row(page, 'one').getByRole('checkbox').check();
    await page.getByRole('toolbar').getByRole('button', { name: 'Move' }).click();
    const suggested = () =>
      page.locator('datalist option').evaluateAll((options) => options.map((one) => one.getAttribute('value')));
    await expect.poll(suggested).toEqual(['archive']);
    await page.getByLabel('Folder', { exact: true }).fill('archive/');
    await expect.poll(suggested).toEqual(['archive/2026']);
    await check();
  });

  it('logs no error for what an application does not have', async () => {
    const { id } = (await createApp(server.running.app.stores, { accountId: account.id, name: 'shop' }))!;
    const { page, problems } = await open(`/deploys/${id}/git`);
    await page.getByRole('button', { name: 'Create a deploy hook' }).waitFor();
    await page.getByRole('button', { name: 'Report deploys' }).waitFor();
    expect(problems).toEqual([]);
  });
});
