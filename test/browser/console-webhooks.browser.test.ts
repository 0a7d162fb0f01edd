import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { noChromium, sharedChromium } from '#test/support/chromium.ts';
import { signedIn, tabTo } from '#test/support/console-flow.ts';
import { upload } from '#test/support/files.ts';
import { startHookServer } from '#test/support/hook-server.ts';
import { startTestServer, type TestAccount, type TestServer } from '#test/support/server.ts';

let server: TestServer;
let browser: Browser;
beforeAll(async () => {
  [server, browser] = await Promise.all([
    startTestServer({ env: { CUBBY_WEBHOOK_ALLOW_PRIVATE: 'on' } }),
    sharedChromium(),
  ]);
});
afterAll(async () => {
  await Promise.all([server?.stop(), browser?.close()]);
});

const open = (account: Pick<TestAccount, 'credential'>, path = '/events', width = 1440) =>
  signedIn({ browser, server }, { key: account.credential, width }, path);

const webhooksOf = async ({ credential }: TestAccount) =>
  (await server.send('/v1/webhooks', { credential })).json().response.webhooks as any[];

describe.skipIf(noChromium)(`the screen of webhooks${noChromium ? ` (skipped: ${noChromium})` : ''}`, () => {
  it('offers to create, change and replay a webhook only to a key that may read and write', async () => {
    const account = await server.account();
    const { credential } = account;
    const body = JSON.stringify({ url: 'http://127.0.0.1:9/hook' });
    const made = await server.send('/v1/webhooks', { method: 'POST', credential, body });
    const { id } = made.json().response;
    const kinds = [
      { scopes: ['blob:read'], creates: 0, items: 0 },
      { scopes: ['blob:write'], creates: 0, items: 2 },
      { scopes: ['blob:read', 'blob:write'], creates: 1, items: 5 },
    ] as const;
    for (const { scopes, creates, items } of kinds) {
      const key = { credential: await server.key(account, { scopes: [...scopes] }) };
      const list = await open(key);
      // A key that only reads sees no more than the host of the address.
      const link = list.page.locator(`a[href$="${id}"]`);
      await link.waitFor();
      expect(await list.page.getByRole('button', { name: 'New webhook' }).count(), scopes.join()).toBe(creates);
      await link.click();
      await list.page.getByRole('heading', { name: 'Deliveries' }).waitFor();
      const menu = list.page.getByRole('button', { name: 'More actions' });
      expect(await menu.count()).toBe(items === 0 ? 0 : 1);
      if (items > 0) await menu.click();
      expect(await list.page.getByRole('menuitem').count()).toBe(items);
      await list.check();
    }
  });

  it('creates a webhook, tests it, shows the delivery with its payload, and sends it again', async () => {
    const account = await server.account();
    const hook = await startHookServer();
    const { page, check } = await open(account);
    await page.getByText('No webhooks yet').waitFor();
    await check();
    await page.getByRole('button', { name: 'New webhook' }).click();
    await page.getByLabel('Address').fill(`http://127.0.0.1:${hook.port}/hook`);
    await page.getByLabel('Note').fill('<img src=x onerror=alert(1)>');
    await page.getByLabel('Events').selectOption('some');
    await page.getByLabel('object.*').check();
    await page.getByLabel('share.ended').check();
    await check();
    await page.getByRole('dialog').getByRole('button', { name: 'New webhook' }).click();
    await page.getByText('Copy the secret now.').waitFor();
    expect(await page.getByRole('dialog').textContent()).toMatch(/whsec_[A-Za-z0-9+/]{43}=/);
    await page.keyboard.press('Escape');
    await page.getByRole('heading', { name: '/hook' }).waitFor();
    expect(await page.getByRole('main').textContent()).not.toContain('whsec_');
    expect((await webhooksOf(account))[0].types).toEqual(['object.*', 'share.ended']);
    await page.getByText('<img src=x onerror=alert(1)>').waitFor();
    await page.getByRole('button', { name: 'Send a test event' }).click();
    await page.locator('.badge', { hasText: 'Delivered' }).waitFor();
    await check();
    await page.getByRole('button', { name: 'webhook.test', exact: true }).click();
    await page.getByRole('dialog').getByText('"type": "webhook.test"').waitFor();
    await check();
    await page.getByRole('dialog').getByRole('button', { name: 'Send again' }).click();
    await page.getByText('It will be sent again.').waitFor();
    await expect.poll(() => hook.calls.length).toBe(2);
  });

  it('changes, pauses, rotates and deletes a webhook, by keyboard alone', async () => {
    const account = await server.account();
    const body = JSON.stringify({ url: 'https://example.invalid/hook' });
    const headers = { 'content-type': 'application/json' };
    await server.send('/v1/webhooks', { method: 'POST', credential: account.credential, headers, body });
    const { page, check } = await open(account);
    await tabTo(page, 'https://example.invalid/hook', 'link');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'https://example.invalid/hook' }).waitFor();
    const choose = async (place: number) => {
      await tabTo(page, 'More actions');
      await page.keyboard.press('Enter');
      await expect.poll(() => page.evaluate('document.activeElement.role')).toBe('menuitem');
      for (let step = 0; step < place; step++) await page.keyboard.press('ArrowDown');
      await page.keyboard.press('Enter');
      await page.getByRole('dialog').waitFor();
    };
    await choose(0);
    await page.keyboard.press('Tab');
    await page.keyboard.type('For the shop');
    await page.keyboard.press('Enter');
    await page.getByText('For the shop').waitFor();
    await choose(1);
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await page.getByText('Paused', { exact: true }).waitFor();
    await choose(3);
    await page.keyboard.press('Enter');
    await page.getByText('Copy the secret now.').waitFor();
    await page.keyboard.press('Escape');
    await page.getByText('Former secret works until').waitFor();
    await check();
    await choose(4);
    await page.getByText('The address gets no more events.').waitFor();
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await page.getByText('No webhooks yet').waitFor();
    expect(await webhooksOf(account)).toEqual([]);
    await check();
  });

  it('shows events as they happen, pauses, and shows one with its data as text, at 390 px', async () => {
    const account = await server.account();
    await upload(server, account);
    const { page, check } = await open(account, '/events/latest', 390);
    await page.getByRole('link', { name: 'object.created' }).waitFor();
    await page.getByRole('button', { name: 'Pause' }).click();
    await upload(server, account);
    await page.getByText('Paused, 1 new').waitFor();
    expect(await page.getByRole('link', { name: /^object\./ }).count()).toBe(1);
    await page.getByRole('button', { name: 'Go on' }).click();
    await expect.poll(() => page.getByRole('link', { name: /^object\./ }).count()).toBe(2);
    await check();
    await page.getByRole('link', { name: 'object.created' }).first().click();
    await page.getByText('"type": "object.created"').waitFor();
    await check();
  });

  it('names an event in its address, which a colleague opens', async () => {
    const account = await server.account();
    await upload(server, account, { query: { prefix: 'photos' } });
    const { page, check } = await open(account, '/events/latest');
    await page.getByRole('link', { name: 'object.created' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('"type": "object.created"').waitFor();
    const address = new URL(page.url());
    expect(address.pathname).toMatch(/^\/console\/events\/latest\/evt_[0-9a-z_]+$/);
    await page.reload();
    await dialog.getByText('"type": "object.created"').waitFor();
    await check();
    await page.keyboard.press('Escape');
    await expect.poll(() => new URL(page.url()).pathname).toBe('/console/events/latest');
    expect(await dialog.count()).toBe(0);
    await page.goBack();
    await dialog.getByText('"type": "object.created"').waitFor();
    // The colleague signs in at this address. A key for other folders sees no more than the list shows it.
    const path = address.pathname.slice('/console'.length);
    const colleague = await open({ credential: await server.key(account, { scopes: ['blob:read'] }) }, path);
    await colleague.page.getByRole('dialog').getByText('"type": "object.created"').waitFor();
    await colleague.check();
    const restricted = await server.key(account, { scopes: ['blob:read'], prefixes: ['docs'] });
    const outsider = await open({ credential: restricted }, path);
    await outsider.page.getByText('The event is no longer kept, or your key may not see it.').waitFor();
  });

  it('leads from a delivery to its event', async () => {
    const account = await server.account();
    const hook = await startHookServer();
    const body = JSON.stringify({ url: `http://127.0.0.1:${hook.port}/hook` });
    const headers = { 'content-type': 'application/json' };
    const answer = await server.send('/v1/webhooks', { method: 'POST', credential: account.credential, headers, body });
    await upload(server, account);
    const { page, check } = await open(account, `/events/${answer.json().response.id}`);
    await page.getByRole('button', { name: 'object.created', exact: true }).click({ timeout: 15_000 });
    await page.getByRole('dialog').getByText('"type": "object.created"').waitFor();
    await page.getByRole('dialog').getByRole('link', { name: /^evt_/ }).click();
    await expect.poll(() => new URL(page.url()).pathname).toMatch(/\/events\/latest\/evt_/);
    await page.getByRole('dialog').getByRole('button', { name: 'Copy the link' }).waitFor();
    expect(await page.getByRole('dialog').count()).toBe(1);
    await check();
  });

  it('offers no changes to a key that may only read', async () => {
    const account = await server.account();
    const key = await server.key(account, { scopes: ['blob:read'] });
    const { page, check } = await open({ credential: key });
    await page.getByText('No webhooks yet').waitFor();
    expect(await page.getByRole('button', { name: 'New webhook' }).count()).toBe(0);
    await check();
  });
});
