import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { ListObjectsV2Command, S3Client } from '#test/s3/small-client.ts';
import { noChromium, sharedChromium } from '#test/support/chromium.ts';
import { TestClock } from '#test/support/clock.ts';
import { findings, openScreen, tabTo } from '#test/support/console-screens.ts';
import { startTestServer, type TestAccount, type TestServer } from '#test/support/server.ts';

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

describe.skipIf(noChromium)(`S3 access${noChromium ? ` (skipped: ${noChromium})` : ''}`, () => {
  it('shows the key pair of an API key that is typed once, and keeps neither', async () => {
    const { page } = await openScreen({ browser, server }, 's3', account.credential);
    await page.getByText('Each API key has its own S3 key pair.').waitFor();
    expect(await findings(page)).toEqual([]);
    await tabTo(page, 'API key');
    await page.keyboard.type(account.credential);
    await page.keyboard.press('Enter');
    await page.getByText('Secret access key', { exact: true }).waitFor();
    expect(await findings(page)).toEqual([]);
    const { credential } = account;
    const pair = (await server.send('/v1/s3/credentials', { credential })).json().response;
    expect(await page.locator('pre').textContent()).toContain(`AWS_ACCESS_KEY_ID=${pair.access_key_id}`);
    await page.getByRole('button', { name: 'rclone' }).click();
    expect(await page.locator('pre').textContent()).toContain(`secret_access_key=${pair.secret_access_key}`);
    const s3 = new S3Client({
      url: pair.endpoint,
      accessKeyId: pair.access_key_id,
      secretAccessKey: pair.secret_access_key,
    });
    expect((await s3.send(new ListObjectsV2Command({ Bucket: 'private' }))).KeyCount).toBe(0);
    const kept = await page.evaluate('JSON.stringify([localStorage, sessionStorage, document.cookie])');
    expect(kept).not.toContain(pair.secret_access_key);
    expect(kept).not.toContain('cbk_');
    await page.getByRole('button', { name: 'Hide it again' }).click();
    expect(await page.locator('pre').textContent()).toContain('YOUR_SECRET_ACCESS_KEY');
  });

  it('says what is wrong with a key, and the session goes on', async () => {
    const { page } = await openScreen({ browser, server }, 's3', account.credential);
    await page.getByLabel('API key').fill('cbk_wrong');
    await page.getByRole('button', { name: 'Show the key pair' }).click();
    await page.getByText('The API key is not valid. Check that you pasted all of it.').waitFor();
    expect(await page.getByLabel('API key').inputValue()).toBe('');
    const weak = await server.key(account, { scopes: ['ai:chat'] });
    await page.getByLabel('API key').fill(weak);
    await page.getByRole('button', { name: 'Show the key pair' }).click();
    await page.getByText('This API key may neither read nor write files').waitFor();
    await page.reload();
    await page.getByRole('heading', { name: 'S3 access' }).waitFor();
  });

  it('says what a restricted key may do, warns about another account, and fits into 390 px', async () => {
    const key = await server.key(account, { scopes: ['blob:read'], prefixes: ['photos'] });
    const other = await server.account('pro');
    const { page } = await openScreen({ browser, server }, 's3', key, { width: 390 });
    await page.getByText('Only in photos/').waitFor();
    await page.getByText('Not at all').waitFor();
    expect(await page.locator('pre').textContent()).toContain('s3://private/photos/');
    await page.getByLabel('API key').fill(other.credential);
    await page.keyboard.press('Enter');
    await page.getByText('This API key belongs to another account').waitFor();
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(390);
    expect(await findings(page)).toEqual([]);
  });
});
