import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';

import { createApp } from '#server/features/apps/create-app.ts';
import { Tally } from '#server/features/edge-errors/tally.ts';
import { noChromium, sharedChromium } from '#test/support/chromium.ts';
import { TestClock } from '#test/support/clock.ts';
import { signedIn } from '#test/support/console-flow.ts';
import { startTestServer, type TestAccount, type TestServer } from '#test/support/server.ts';

let server: TestServer;
let browser: Browser;
let account: TestAccount;
beforeAll(async () => {
  const clock = new TestClock(Date.now());
  [server, browser] = await Promise.all([startTestServer({ clock }), sharedChromium()]);
  account = await server.account();
});
afterAll(async () => {
  await Promise.all([server?.stop(), browser?.close()]);
});

const open = (path: string, options: { readonly width?: number }) =>
  signedIn({ browser, server }, { key: account.credential, ...options }, path);

describe.skipIf(noChromium)(`the errors of an application${noChromium ? ` (skipped: ${noChromium})` : ''}`, () => {
  it('are shown as a chart and as tables, also at 390 px', async () => {
    const { id: appId } = (await createApp(server.running.app.stores, { accountId: account.id, name: 'shop' }))!;
    const tally = new Tally();
    for (let minute = 1; minute < 200; minute++)
      tally.add({
        at: Date.now() - minute * 180_000,
        status: minute % 3 ? 404 : 502,
        method: 'GET',
        path: minute % 3 ? '/<img src=x onerror=alert(1)>' : '/orders/:id',
      });
    await server.running.app.stores.metadata.atomically((tx) => tx.edgeErrors.add(appId, tally.counts()));
    const { page, check } = await open(`/deploys/${appId}/errors`, { width: 390 });
    await page.locator('.stacked-chart canvas').waitFor();
    await page.getByText('/orders/:id').waitFor();
    await check();
    await page.getByLabel('With errors of clients (4xx)').uncheck();
    await expect.poll(() => page.getByRole('main').textContent()).not.toContain('onerror');
    await page.getByLabel('Time', { exact: true }).selectOption('hour');
    await page.getByText('Errors over time').first().waitFor();
    await check();
  });

  it('are there without deploys, below a list of applications that tells of none', async () => {
    const without = await startTestServer({ env: { CUBBY_FEATURES: '-deploys' } });
    onTestFinished(() => without.stop());
    const { id, credential } = await without.account();
    const { id: appId } = (await createApp(without.running.app.stores, { accountId: id, name: 'shop' }))!;
    const { page, go, check } = await signedIn({ browser, server: without }, { key: credential }, '/deploys');
    await page.getByRole('heading', { name: 'Applications' }).waitFor();
    await page.getByRole('link', { name: 'shop' }).click();
    await page.getByText('No errors in this time').waitFor();
    expect(await page.getByRole('navigation', { name: 'Parts of the application' }).textContent()).toBe('Errors');
    await check();
    await go(`/deploys/${appId}/dep_1`);
    await page.getByText('No errors in this time').waitFor();
    expect(await page.getByRole('main').textContent()).not.toMatch(/deploy/i);
  });

  it('have no link, and nor have deploys, where both are switched off', async () => {
    const without = await startTestServer({ env: { CUBBY_FEATURES: '-deploys,-edge-errors' } });
    onTestFinished(() => without.stop());
    const { id, credential } = await without.account();
    const { id: appId } = (await createApp(without.running.app.stores, { accountId: id, name: 'shop' }))!;
    const { page, go, check } = await signedIn({ browser, server: without }, { key: credential }, '/deploys');
    await page.getByRole('cell', { name: 'shop' }).waitFor();
    expect(await page.getByRole('main').getByRole('link').count()).toBe(0);
    await check();
    await go(`/deploys/${appId}/errors`);
    await page.getByRole('heading', { name: 'shop' }).waitFor();
    expect(await page.getByRole('navigation', { name: 'Parts of the application' }).count()).toBe(0);
    await check();
  });
});
