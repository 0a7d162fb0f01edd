import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';

import { startChatUpstream, type ChatUpstream } from '#mocks/chat-upstream.ts';
import { createAccount } from '#server/domain/access/create-account.ts';
import { serverActor } from '#server/domain/audit/audit-entry.ts';
import { createOperatorKey } from '#server/domain/operator/create-operator-key.ts';
import { ask } from '#test/support/chat.ts';
import { noChromium, sharedChromium } from '#test/support/chromium.ts';
import { TestClock } from '#test/support/clock.ts';
import { signInWith } from '#test/support/console.ts';
import { formWith } from '#test/support/files.ts';
import { startHookServer } from '#test/support/hook-server.ts';
import { partsOfFeatures } from '#test/support/parts-of-features.ts';
import { startTestServer, type TestAccount, type TestServer } from '#test/support/server.ts';
import { sameOrigin } from '#test/support/sessions.ts';
import { fillStorage } from '#test/support/storage-sample.ts';
import { hostile, short, terminal, type HostileScreen } from './hostile-texts.ts';

const ofFeatures = await partsOfFeatures('hostile-texts');

const script = '<script>globalThis.ran=1;top.ran=1;opener&&(opener.ran=1)</script>';
const filler = '<p>words</p>'.repeat(60);
const contents: ReadonlyArray<readonly [name: string, type: string, text: string]> = [
  ['page.html', 'text/html', filler + script],
  [
    'picture.svg',
    'image/svg+xml',
    `<svg xmlns="http://www.w3.org/2000/svg" onload="top.ran=1">${filler}${script}</svg>`,
  ],
  ['words.md', 'text/html', `[link](javascript:top.ran=1) ${filler}${script}`],
  ['words.txt', 'text/html', filler + script],
  ['data.json', 'text/html', `{"a":"${script}"}${' '.repeat(600)}`],
  ['data.xml', 'application/xhtml+xml', `<html xmlns="http://www.w3.org/1999/xhtml">${filler}${script}</html>`],
  ['paper.pdf', 'application/pdf', `%PDF-1.4 /OpenAction << /S /JavaScript /JS (app.alert(1)) >>${filler}`],
  ['clip.mp4', 'text/html', filler + script],
  ['photo.png', 'text/html', filler + script],
];

let server: TestServer;
let browser: Browser;
let upstream: ChatUpstream;
let account: TestAccount;
let backups: string;
let webhookId: string;
let operatorKey: string;
let screens: readonly HostileScreen[];

describe.skipIf(noChromium)(`hostile texts in the console${noChromium ? ` (skipped: ${noChromium})` : ''}`, () => {
  beforeAll(async () => {
    backups = await mkdtemp(join(tmpdir(), 'console-attacks-'));
    upstream = await startChatUpstream();
    const env = {
      CUBBY_AI_UPSTREAM_URL: upstream.url,
      CUBBY_AI_LOG_DAYS: '30',
      CUBBY_WEBHOOK_ALLOW_PRIVATE: 'on',
      CUBBY_BACKUP_TARGET: backups,
    };
    const clock = new TestClock(Date.now());
    [server, browser] = await Promise.all([startTestServer({ clock, env, ownStores: true }), sharedChromium()]);
    await fill();
  });
  afterAll(async () => {
    await Promise.all([server?.stop(), browser?.close(), upstream?.close()]);
    await rm(backups, { recursive: true, force: true });
  });

  async function fill(): Promise<void> {
    const { stores } = server.running.app;
    const { accountId, key, credential } = await createAccount(stores, {
      name: hostile.slice(0, 100),
      plan: 'enterprise',
    });
    account = { id: accountId, credential, keyId: key.id };
    operatorKey = (await createOperatorKey(stores, { name: short, by: serverActor })).credential;
    const call = async (method: string, path: string, body: unknown) => {
      const headers = { 'Content-Type': 'application/json' };
      const answer = await server.send(path, { method, credential, headers, body: JSON.stringify(body) });
      expect([path, answer.status, answer.status < 300 ? '' : answer.body.toString()]).toEqual([
        path,
        expect.any(Number),
        '',
      ]);
      return answer.json().response;
    };
    await fillStorage(server, account, 'hostile');
    for (const isPrivate of [true, false])
      for (const [name, type, text] of contents) {
        const query = new URLSearchParams({
          name: name.split('.')[0]!,
          prefix: isPrivate ? 'private' : 'public',
          private: String(isPrivate),
        });
        const body = formWith(Buffer.from(text), `${short}${name}`, type);
        const answer = await server.send(`/v1/objects?${query}`, { method: 'POST', credential, body });
        expect(answer.status).toBe(200);
        const { id } = answer.json().response;
        await call('PATCH', '/v1/objects', { objects: [id], metadata: { note: hostile, '--proto--': short } });
      }
    await call('POST', '/v1/account/keys', { name: short, scopes: ['blob:read'] });
    const headers = { ...sameOrigin, 'User-Agent': hostile };
    await server.send('/v1/sessions', { method: 'POST', headers, body: JSON.stringify({ api_key: credential }) });
    upstream.answer({ text: terminal, usage: { prompt_tokens: 1, completion_tokens: 2 } });
    await ask(server, credential, hostile);
    screens = (await Promise.all(ofFeatures.map((feature) => feature.store?.({ server, account }) ?? []))).flat();
  }

  /** Signs in, and fails the test at its end if anything of a text has run or the policy had to stop something. */
  async function openSignedIn(door: 'api' | 'operator', options: { readonly width?: number } = {}): Promise<Page> {
    const context = await browser.newContext({
      locale: 'en-GB',
      viewport: { width: options.width ?? 1440, height: 900 },
    });
    context.setDefaultTimeout(15_000);
    const page = await context.newPage();
    const problems: string[] = [];
    page.on('pageerror', (error) => problems.push(String(error)));
    page.on('dialog', (dialog) => void (problems.push(dialog.message()), dialog.dismiss()));
    page.on('popup', (popup) => problems.push(`A window was opened: ${popup.url()}`));
    page.on('console', (message) => {
      if (/Content Security Policy|TrustedHTML|Trusted Type/.test(message.text())) problems.push(message.text());
    });
    onTestFinished(async () => {
      await context.close();
      expect(problems).toEqual([]);
    });
    await page.goto(`${server.running.urls[door]}/console/settings`);
    await signInWith(page, door === 'api' ? account.credential : operatorKey);
    return page;
  }

  /** Waits for the screen, and looks for anything in it that a text has become. */
  async function check(page: Page): Promise<void> {
    await page.locator('main h1').waitFor();
    await expect.poll(() => page.locator('.skeleton').count()).toBe(0);
    const found = await page.evaluate(`({
      ran: globalThis.ran ?? null,
      title: document.title.includes('title'),
      scripts: [...document.scripts].filter(({ src }) => !src.startsWith(location.origin + '/console/assets/')).length,
      made: document.querySelectorAll(
        '[onerror], [onload], [onclick], img[src="x"], base, object, embed, meta[http-equiv]',
      ).length,
      links: [...document.querySelectorAll('a[href]')]
        .map(({ protocol }) => protocol)
        .filter((one) => !/^https?:$/.test(one)),
      frames: [...document.querySelectorAll('iframe')].filter((frame) => frame.getAttribute('sandbox') !== '').length,
    })`);
    expect(found).toEqual({ ran: null, title: false, scripts: 0, made: 0, links: [], frames: 0 });
    expect(await page.evaluate('document.body.innerText')).not.toMatch(/[\u202a-\u202e]/);
  }

  async function go(page: Page, path: string, door: 'api' | 'operator' = 'api'): Promise<void> {
    await page.goto(`${server.running.urls[door]}/console${path}`);
    await check(page);
  }

  it.each([1440, 390])(
    'stay texts on every screen of an account at %d px',
    async (width) => {
      const page = await openSignedIn('api', { width });
      const ofFiles = ['/files', '/files/all/public', '/trash', '/shares', '/rules', '/s3'];
      const ofServices = ['/ai', '/ai/requests', '/ai/usage', '/deploys', '/events'];
      const ofAccount = ['/usage', '/activity', '/keys', '/settings'];
      for (const path of [...ofFiles, ...ofServices, ...ofAccount]) await go(page, path);
      for (const { path, look } of screens) {
        await go(page, path);
        await look?.(page, (other) => go(page, other));
        await check(page);
      }
    },
    180_000,
  );

  it('stay texts in details and previews of files of every kind, public and private', async () => {
    const page = await openSignedIn('api');
    for (const folder of ['public', 'private']) {
      await go(page, `/files/all/${folder}`);
      for (const [name] of contents) {
        const [stem, extension] = name.split('.') as [string, string];
        await page
          .getByRole('row')
          .getByRole('button', { name: new RegExp(`^(?!Actions).*${stem}\\.${extension}$`) })
          .first()
          .click();
        const details = page.getByRole('complementary');
        await details.getByText('=1+1;=2+2').waitFor();
        await page.waitForTimeout(250);
        await check(page);
        await details.getByRole('button', { name: 'Close' }).click();
      }
      await page.getByRole('button', { name: 'As tiles' }).click();
      await page.locator('.tile').first().waitFor();
      await check(page);
      await page.getByRole('button', { name: 'As a list' }).click();
    }
  });

  it('stay texts in deliveries of webhooks, also what the other server answers', async () => {
    const hook = await startHookServer();
    hook.answer = (res) => res.writeHead(500, { 'Content-Type': 'text/html' }).end(hostile);
    const headers = { 'Content-Type': 'application/json' };
    const body = JSON.stringify({
      url: `http://127.0.0.1:${hook.port}/${encodeURI(short)}`,
      description: hostile.slice(0, 100),
    });
    const made = await server.send('/v1/webhooks', { method: 'POST', credential: account.credential, headers, body });
    webhookId = made.json().response.id;
    await server.send(`/v1/webhooks/${webhookId}/test`, { method: 'POST', credential: account.credential });
    await server.send('/v1/account/keys', {
      method: 'POST',
      credential: account.credential,
      headers,
      body: JSON.stringify({ name: short, scopes: ['blob:read'] }),
    });
    await expect.poll(() => hook.calls.length).toBeGreaterThan(1);
    const page = await openSignedIn('api');
    await go(page, '/events');
    await go(page, `/events/${webhookId}`);
    for (const type of ['webhook.test', 'key.created']) {
      await page.getByRole('button', { name: type, exact: true }).first().click();
      await page.getByRole('dialog').waitFor();
      await page.waitForTimeout(300);
      await check(page);
      await page.keyboard.press('Escape');
    }
  });

  it('stay texts in the answers of a model', async () => {
    upstream.answer({
      text: `${hostile} [link](javascript:globalThis.ran=1) ![x](https://evil.invalid/leak.png)`,
      usage: { prompt_tokens: 1, completion_tokens: 2 },
    });
    const page = await openSignedIn('api');
    await go(page, '/ai');
    await page.getByLabel('Message').fill(hostile);
    await page.keyboard.press('Control+Enter');
    await page.getByText('leak.png').first().waitFor();
    await check(page);
    expect(await page.locator('main img').count()).toBe(0);
  });

  it('stay texts in dialogs of links', async () => {
    const page = await openSignedIn('api');
    await go(page, '/shares');
    for (const button of await page
      .getByRole('table')
      .getByRole('button', { name: /^(?!Actions|Copy)/ })
      .all()) {
      await button.click();
      await page.getByRole('dialog').waitFor();
      await check(page);
      await page.keyboard.press('Escape');
    }
  });

  it('stay texts on every screen of the operator', async () => {
    const page = await openSignedIn('operator');
    for (const path of ['/overview', '/accounts', '/jobs', '/backups', '/audit', '/settings'])
      await go(page, path, 'operator');
    for (const path of ['', '/keys', '/apps', '/usage', '/ai'])
      await go(page, `/accounts/${account.id}${path}`, 'operator');
  });

  it('start no formula in a table that is saved', async () => {
    const page = await openSignedIn('api');
    let saved = 0;
    const tables = ['/activity', '/keys', '/usage', '/ai/requests', '/ai/usage', '/shares'];
    for (const path of [...tables, ...screens.map((screen) => screen.path)]) {
      await go(page, path);
      for (const button of await page.getByRole('main').getByRole('button', { name: /CSV/ }).all()) {
        if (!(await button.isEnabled())) continue;
        const [download] = await Promise.all([page.waitForEvent('download'), button.click()]);
        const text = await new Response((await download.createReadStream()) as never).text();
        saved++;
        for (const cell of text.replace(/^\uFEFF/, '').split(/\r\n|,|;|\t/))
          expect([path, cell]).toEqual([path, expect.stringMatching(/^(?!"?\s*[=+@]|"?\s*-(?!\d))/)]);
      }
    }
    expect(saved).toBeGreaterThan(1);
  });
});
