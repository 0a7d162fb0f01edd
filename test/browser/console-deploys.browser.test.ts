import { appendFile, mkdir } from 'node:fs/promises';
import { dirname } from 'node:path';

import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { createApp } from '#server/features/apps/create-app.ts';
import { endDeploy } from '#server/features/deploys/end-deploy.ts';
import { takeDeploy } from '#server/features/deploys/take-deploy.ts';
import { deployLogFile } from '#server/features/deploys/stores/filesystem/deploy-logs.ts';
import { noChromium, sharedChromium } from '#test/support/chromium.ts';
import { TestClock } from '#test/support/clock.ts';
import { signedIn, tabTo } from '#test/support/console-flow.ts';
import { deliveryOf } from '#test/support/git-deliveries.ts';
import { gitHooks, type GitHooks, type Hooked } from '#test/support/git-hooks.ts';
import { startTestServer, type TestAccount, type TestServer } from '#test/support/server.ts';

let server: TestServer;
let browser: Browser;
let account: TestAccount;
let hooks: GitHooks;
beforeAll(async () => {
  const clock = new TestClock(Date.now());
  [server, browser] = await Promise.all([startTestServer({ clock }), sharedChromium()]);
  account = await server.account();
  hooks = gitHooks(server, account);
});
afterAll(async () => {
  await Promise.all([server?.stop(), browser?.close()]);
});

const open = (path = '/deploys', options: { readonly width?: number; readonly key?: string } = {}) =>
  signedIn({ browser, server }, { key: account.credential, ...options }, path);

async function pushed(message = 'Show the invoice'): Promise<Hooked & { readonly id: string }> {
  const hooked = await hooks.newHook();
  await hooks.deliver(hooked, deliveryOf('github', 'push', { message }));
  return { ...hooked, id: (await hooks.deploysOf(hooked))[0]!.id };
}

/** Takes the deploy, as a runner does. Others that wait are taken too, and end. */
async function begin(id: string) {
  const { stores } = server.running.app;
  for (;;) {
    const { deploy } = await takeDeploy(stores);
    if (deploy?.id === id) return deploy;
    await endDeploy(stores, deploy!, 'success');
  }
}

async function print(id: string, text: string): Promise<void> {
  const file = deployLogFile(server.dataDir, id);
  await mkdir(dirname(file), { recursive: true });
  await appendFile(file, text);
}

describe.skipIf(noChromium)(`the screen of deploys${noChromium ? ` (skipped: ${noChromium})` : ''}`, () => {
  it('connects a repository by mouse: address to copy, secret once, and removes it after a question', async () => {
    await createApp(server.running.app.stores, { accountId: account.id, name: '<b>Shop</b>' });
    const { page, check } = await open();
    await page.getByRole('link', { name: '<b>Shop</b>' }).click();
    await page.getByRole('heading', { name: '<b>Shop</b>' }).waitFor();
    await page.getByText('No deploys yet').waitFor();
    await check();
    await page.getByRole('link', { name: 'Connect a repository' }).click();
    await page.getByRole('button', { name: 'Connect a repository' }).click();
    await page.getByLabel('Access token of the git host').fill('token-of-the-host');
    const secret = await page.getByLabel('Secret of the webhook').inputValue();
    expect(secret).toMatch(/^\w{40}$/);
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Register this secret at the git host now.').waitFor();
    expect(await page.getByRole('dialog').textContent()).toContain(secret);
    await check();
    await page.getByRole('dialog').getByRole('button', { name: 'Close' }).last().click();
    await page.getByText('/v2/git/webhook/').waitFor();
    expect(await page.getByRole('main').textContent()).not.toContain(secret);
    await page.getByRole('button', { name: 'Remove the webhook' }).click();
    await page.getByText('Its address, token and secret are lost.').waitFor();
    await page.getByRole('dialog').getByRole('button', { name: 'Remove the webhook' }).click();
    await page.getByRole('button', { name: 'Connect a repository' }).waitFor();
    await check();
  });

  it('sets filters, a deploy hook and the commit status, and removes them', async () => {
    const { appId } = await pushed();
    const { page, check } = await open(`/deploys/${appId}/git`);
    await page.getByRole('button', { name: 'Change the filters' }).click();
    await page.getByLabel('Only these branches').fill('main\nrelease/*\n');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('release/*').waitFor();
    await page.getByRole('button', { name: 'Create a deploy hook' }).click();
    await page.getByLabel('Repository').fill('https://git.invalid/acme/shop.git');
    await page.getByRole('dialog').getByRole('button', { name: 'Create a deploy hook' }).click();
    await page.getByText('/v2/deploy/hook/').waitFor();
    await page.keyboard.press('Escape');
    await page.getByText('https://git.invalid/acme/shop.git').waitFor();
    await page.getByRole('button', { name: 'Report deploys' }).click();
    await page.getByLabel('Access token of the git host').fill('status-token');
    await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
    await page.getByRole('button', { name: 'Stop the reports' }).waitFor();
    await check();
    await page.getByRole('button', { name: 'Stop the reports' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Stop the reports' }).click();
    await page.getByRole('button', { name: 'Report deploys' }).waitFor();
    await page.getByRole('button', { name: 'Revoke the hook' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Revoke the hook' }).click();
    await page.getByRole('button', { name: 'Create a deploy hook' }).waitFor();
    await check();
  });

  it('shows the output as it is written, as text, with pause, and its end', async () => {
    const app = await pushed('<script>alert(1)</script>');
    const deploy = await begin(app.id);
    await print(app.id, '[cubby] Cloning\n\u001b[31mred\u001b[0m <script>alert(2)</script>\n10 %\r100 %\r\n');
    const { page, check } = await open(`/deploys/${app.appId}/${app.id}`);
    const log = page.getByRole('log');
    await expect.poll(() => log.textContent()).toContain('red <script>alert(2)</script>\n100 %');
    await page.getByText('Live', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Pause' }).click();
    await print(app.id, 'while paused\n');
    await page.waitForTimeout(1500);
    expect(await log.textContent()).not.toContain('while paused');
    await page.getByRole('button', { name: 'Go on' }).click();
    await expect.poll(() => log.textContent()).toContain('while paused');
    await endDeploy(server.running.app.stores, deploy, 'success');
    await page.getByText('Worked').waitFor();
    await page.getByText('4 lines').waitFor();
    await check();
  });

  it('goes to the newest deploy, deploys it again and cancels that, by keyboard alone', async () => {
    const app = await pushed('Release\u202e 1');
    await endDeploy(server.running.app.stores, await begin(app.id), 'failure');
    const { page, check } = await open(`/deploys/${app.appId}`);
    await tabTo(page, /^Actions of/);
    await page.keyboard.press('Enter');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await page.getByRole('dialog', { name: 'Deploy this commit again?' }).waitFor();
    await page.keyboard.press('Enter');
    await page.getByText('Waiting', { exact: true }).waitFor();
    await tabTo(page, /Release/, 'link');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: /^Deploy of/ }).waitFor();
    await tabTo(page, 'Cancel');
    await page.keyboard.press('Enter');
    await page.getByText('This deploy will not run.').waitFor();
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await page.getByText('Cancelled', { exact: true }).waitFor();
    expect((await hooks.deploysOf(app)).map(({ state }) => state)).toEqual(['cancelled', 'error']);
    await check();
  });

  it('offers no changes to a key that may only read, and no other application to a restricted one', async () => {
    const [{ appId }, other] = [await pushed(), await hooks.newHook()];
    const key = await server.key(account, { scopes: ['apps:read'], resources: [appId] });
    const { page, go, check } = await open('/deploys', { key });
    await page.getByRole('link', { name: 'shop' }).click();
    await page.getByRole('button', { name: /^Actions of/ }).click();
    expect(await page.getByRole('menuitem').allTextContents()).toEqual(['Output']);
    await page.keyboard.press('Escape');
    await go(`/deploys/${appId}/git`);
    await page.getByRole('heading', { name: 'Commit status' }).waitFor();
    await expect.poll(() => page.locator('main .card button:not(.icon-button)').count()).toBe(0);
    await go(`/deploys/${other.appId}`);
    await page.getByText('This application does not exist, or your key may not use it').waitFor();
    await check();
  });
});
