import { mkdtemp, rm } from 'node:fs/promises';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';

import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { createAccount } from '#server/domain/access/create-account.ts';
import { noChromium, sharedChromium } from '#test/support/chromium.ts';
import { signedIn, tabTo } from '#test/support/console-flow.ts';
import { startTestServer, type TestServer } from '#test/support/server.ts';

let server: TestServer;
let browser: Browser;
let target: string;
let key: string;
beforeAll(async () => {
  target = await mkdtemp(join(tmpdir(), 'console-backups-'));
  [server, browser] = await Promise.all([
    startTestServer({ env: { CUBBY_BACKUP_TARGET: target }, ownStores: true }),
    sharedChromium(),
  ]);
  key = await server.operatorKey();
});
afterAll(async () => {
  await Promise.all([server?.stop(), browser?.close()]);
  await rm(target, { recursive: true, force: true });
});

const open = (path: string, width = 1440) => signedIn({ browser, server }, { key, door: 'operator', width }, path);

describe.skipIf(noChromium)(`the operator’s screens${noChromium ? ` (skipped: ${noChromium})` : ''}`, () => {
  it('make an account, change its limits, and suspend, delete and restore it, by mouse', async () => {
    const { page, check } = await open('/accounts');
    await page.getByRole('button', { name: 'New account' }).click();
    await page.getByLabel('Name', { exact: true }).fill('<b>Acme</b>');
    await page.getByRole('dialog').getByRole('button', { name: 'New account' }).click();
    await page.getByText('Copy the key now.').waitFor();
    expect(await page.getByRole('dialog').textContent()).toContain('cbk_');
    await check();
    await page.keyboard.press('Escape');
    await page.getByRole('heading', { name: '<b>Acme</b>' }).waitFor();
    await page.getByRole('button', { name: 'Change plan and limits' }).click();
    await page.getByLabel('Plan', { exact: true }).selectOption('hobby');
    await page.getByLabel('Quota of its own, in GiB').fill('2.5');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('2.5 GiB', { exact: true }).waitFor();
    await page.getByText('Hobby').waitFor();
    await check();
    const choose = async (item: string) => {
      await page.getByRole('button', { name: 'More actions' }).click();
      await page.getByRole('menuitem', { name: item }).click();
      await page.getByRole('dialog').getByRole('button', { name: item }).click();
    };
    await choose('Suspend');
    await page.locator('.badge', { hasText: 'Suspended' }).waitFor();
    await choose('Resume');
    await page.locator('.badge', { hasText: 'Active' }).waitFor();
    await page.getByRole('button', { name: 'More actions' }).click();
    await page.getByRole('menuitem', { name: 'Delete' }).click();
    await page.getByText('0 files (0 B) will be lost.').waitFor();
    await check();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await page.locator('.badge', { hasText: 'Deleted' }).waitFor();
    await choose('Restore');
    await page.locator('.badge', { hasText: 'Active' }).waitFor();
    await check();
  });

  it('find an account, and make and revoke a key and an application of it, by keyboard alone', async () => {
    const { stores } = server.running.app;
    await createAccount(stores, { name: 'Needle', plan: 'pro' });
    const { page, check } = await open('/accounts');
    await page.getByLabel('Name, or beginning of the id').focus();
    await page.keyboard.type('needle');
    await expect.poll(() => page.getByRole('main').getByRole('row').count()).toBe(2);
    await tabTo(page, 'Needle', 'link');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Needle' }).waitFor();
    await tabTo(page, 'Keys', 'link');
    await page.keyboard.press('Enter');
    await tabTo(page, 'New key');
    await page.keyboard.press('Enter');
    await page.getByRole('dialog').waitFor();
    await page.keyboard.type('Build server');
    await page.keyboard.press('Enter');
    await page.getByText('Copy the key now.').waitFor();
    await page.keyboard.press('Escape');
    await tabTo(page, 'Revoke Build server');
    await page.keyboard.press('Enter');
    await page.getByText('This cannot be undone.').waitFor();
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await page.locator('.badge', { hasText: 'Revoked' }).waitFor();
    await check();
    await tabTo(page, 'Applications', 'link');
    await page.keyboard.press('Enter');
    await tabTo(page, 'New application');
    await page.keyboard.press('Enter');
    await page.getByRole('dialog').waitFor();
    await page.keyboard.type('Shop');
    await page.keyboard.press('Enter');
    await page.getByText('Shop').waitFor();
    await tabTo(page, 'Usage', 'link');
    await page.keyboard.press('Enter');
    await page.getByText('No requests in the last 30 days').waitFor();
    await check();
  });

  it('say how the installation is, confirm the clock after a question, and start a scrub, at 390 px', async () => {
    await server.running.app.stores.metadata.atomically((tx) => tx.clockJump.save({ noticedAt: 1, byMs: 2e8 }));
    const { page, check } = await open('/overview', 390);
    const servers = page.getByRole('region', { name: 'Servers' });
    await servers.getByText(hostname()).waitFor();
    expect(await servers.getByRole('row').count()).toBe(1);
    await page.getByText('The clock of the server jumped by 3,333 minutes').waitFor();
    await check();
    await page.getByRole('button', { name: 'Confirm the clock' }).click();
    await page.getByText('Check the clock of the server first.').waitFor();
    await page.getByRole('dialog').getByRole('button', { name: 'Confirm the clock' }).click();
    await page.getByText('Automatic deletion continues.', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Start a round now' }).click();
    await page.getByText('The scrub has begun.').waitFor();
    await page.getByText('CUBBY_BACKUP_TARGET').waitFor();
    await page.getByLabel('Find a setting').fill('log');
    await page.getByText('CUBBY_LOG', { exact: true }).waitFor();
    await check();
  });

  it('run a job, and show its run', async () => {
    const { page, check } = await open('/jobs');
    await tabTo(page, 'Run delete-expired');
    await page.keyboard.press('Enter');
    await page.getByText('delete-expired is done: 0.').waitFor();
    await check();
  });

  it('start a backup, and show it among those that can be restored', async () => {
    const { page, check } = await open('/backups');
    await page.getByText('No backups yet').waitFor();
    await check();
    await page.getByRole('button', { name: 'Start a backup' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Start a backup' }).click();
    await page.getByText('Done', { exact: true }).waitFor({ timeout: 20_000 });
    await page.getByRole('heading', { name: 'Backups that can be restored' }).waitFor({ timeout: 20_000 });
    await check();
  });

  it('search the audit log, show an entry, and check the log', async () => {
    await createAccount(server.running.app.stores, { name: '<script>alert(1)</script>', plan: 'pro' });
    const { page, check } = await open('/audit');
    await page.getByLabel('Time').selectOption('all');
    await page.getByLabel('Search').fill('alert(1) account.created');
    await page.getByRole('button', { name: 'account.created' }).click();
    await page.getByRole('dialog').getByText('<script>alert(1)</script>').waitFor();
    await check();
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Check the log' }).click();
    await page.getByRole('button', { name: 'Check now' }).click();
    await page.getByText('Whole', { exact: true }).waitFor();
    await check();
    await page.getByLabel('Last entry of an earlier check').fill(`999:${'a'.repeat(64)}`);
    await page.getByRole('button', { name: 'Check now' }).click();
    await page.getByText('Changed', { exact: true }).waitFor();
  });
});
