import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';

import { startChatUpstream, type ChatUpstream } from '#mocks/chat-upstream.ts';
import { noChromium, sharedChromium } from '#test/support/chromium.ts';
import { clockToFill, fillAccount, hostileName } from '#test/support/console-account.ts';
import { overflowOf } from '#test/support/console-checks.ts';
import { findings } from '#test/support/console-screens.ts';
import { openConsole, signInWith } from '#test/support/console.ts';
import { startTestServer, type TestAccount, type TestServer } from '#test/support/server.ts';
import { recordPage } from '#test/support/page-record.ts';

let server: TestServer;
let browser: Browser;
let upstream: ChatUpstream;
let account: TestAccount;
beforeAll(async () => {
  upstream = await startChatUpstream();
  const env = { CUBBY_AI_UPSTREAM_URL: upstream.url, CUBBY_AI_STREAMING: 'on', CUBBY_AI_LOG_DAYS: '30' };
  [server, browser] = await Promise.all([startTestServer({ clock: clockToFill(), env }), sharedChromium()]);
  account = await server.account('enterprise');
  await fillAccount(server, account, upstream);
});
afterAll(async () => {
  await Promise.all([server?.stop(), browser?.close(), upstream?.close()]);
});

/** Signs in and opens a screen. */
async function open(path: string, options: Parameters<typeof openConsole>[2] = {}, key = account.credential) {
  const origin = server.running.urls.api.replace(/\/$/, '');
  const opened = await openConsole(browser, `${origin}/console${path}`, options);
  onTestFinished(() => opened.context.close());
  recordPage(opened.page);
  await signInWith(opened.page, key);
  await opened.page.getByRole('heading', { level: 1 }).waitFor();
  return { ...opened, origin };
}

describe.skipIf(noChromium)(`models in the console${noChromium ? ` (skipped: ${noChromium})` : ''}`, () => {
  it('asks a model by keyboard, and shows its answer as text alone', async () => {
    upstream.answer({ text: `Hello. ${hostileName}`, usage: { prompt_tokens: 12, completion_tokens: 5 } });
    const { page, problems, origins, origin } = await open('/ai');
    await page.getByLabel('Message').focus();
    await page.keyboard.type('What is an ETag?');
    await page.keyboard.press('Control+Enter');
    await page.getByText(`Hello. ${hostileName}`).waitFor();
    await page.getByText('Charged: 12 in + 5 out = 17 tokens.').waitFor();
    expect(await page.locator('main script, main img').count()).toBe(0);
    expect(upstream.requests.at(-1)?.body).toMatchObject({ stream: true });
    expect(await findings(page)).toEqual([]);
    expect(problems).toEqual([]);
    expect([...origins]).toEqual([origin]);
  });

  it('sends the settings and the whole conversation, and shows request and answer as JSON', async () => {
    upstream.answer({ text: 'First.' }, { text: 'Second.' });
    const { page, problems } = await open('/ai');
    await page.getByLabel('System').fill('Be brief.');
    await page.getByLabel('Maximum tokens').fill('50');
    await page.getByLabel('Temperature').fill('0.5');
    await page.getByLabel('Stream').uncheck();
    await page.getByLabel('Message').fill('One?');
    await page.getByRole('button', { name: 'Send', exact: true }).click();
    await page.getByText('First.', { exact: true }).waitFor();
    server.clock.advance(10_000);
    await page.getByLabel('Message').fill('Two?');
    await page.getByRole('button', { name: 'Send', exact: true }).click();
    await page.getByText('Second.', { exact: true }).waitFor();
    expect(upstream.requests.at(-1)?.body).toMatchObject({
      messages: [
        { role: 'system', content: 'Be brief.' },
        { role: 'user', content: 'One?' },
        { role: 'assistant', content: 'First.' },
        { role: 'user', content: 'Two?' },
      ],
      temperature: 0.5,
    });
    await page.getByText('Answer as JSON').click();
    await page.getByText('"chat.completion"').waitFor();
    await page.getByRole('button', { name: 'New conversation' }).click();
    await page.getByText('Ask a model something').waitFor();
    expect(problems).toEqual([]);
  });

  it('shows calls of tools and sends their results', async () => {
    server.clock.advance(10_000);
    upstream.answer(
      { text: null, toolCalls: [{ id: 'call_1', name: 'add', arguments: '{"a":1}' }] },
      { text: 'It is 3.' },
    );
    const { page } = await open('/ai');
    await page.getByLabel('Tools (JSON)').fill('{');
    await page.getByText('This is no list in JSON.').waitFor();
    expect(await page.getByRole('button', { name: 'Send', exact: true }).isDisabled()).toBe(true);
    const tool = { type: 'function', function: { name: 'add', parameters: { type: 'object' } } };
    await page.getByLabel('Tools (JSON)').fill(JSON.stringify([tool]));
    await page.getByLabel('Message').fill('1 + 2?');
    await page.getByRole('button', { name: 'Send', exact: true }).click();
    await page.getByText('{"a":1}').waitFor();
    server.clock.advance(10_000);
    await page.getByLabel('Result of add').fill('3');
    await page.getByRole('button', { name: 'Send the results' }).click();
    await page.getByText('It is 3.', { exact: true }).waitFor();
    const { messages } = upstream.requests.at(-1)!.body as { messages: unknown[] };
    expect(messages.at(-1)).toMatchObject({ role: 'tool', content: '3' });
  });

  it('says in plain words why a request was rejected', async () => {
    server.clock.advance(10_000);
    upstream.answer('hang-up');
    const { page } = await open('/ai');
    await page.getByLabel('Message').fill('Hello?');
    await page.getByRole('button', { name: 'Send', exact: true }).click();
    await page.getByText('No model answered in time. Try again later.').waitFor({ timeout: 20_000 });
    await page.getByText('server_overloaded').waitFor();
    upstream.answer({ text: 'Now.' });
  });

  it('adds up the usage by key, day and model, as chart and table', async () => {
    const { page, problems } = await open('/ai/usage');
    await page.locator('.chart canvas').waitFor();
    const rows = page.getByRole('region', { name: 'Usage' }).getByRole('row');
    await expect.poll(() => rows.count()).toBeGreaterThan(12);
    await page.getByLabel('Add up by').selectOption('key');
    await expect.poll(() => rows.nth(1).textContent()).toContain('full access');
    expect(await findings(page)).toEqual([]);
    expect(problems).toEqual([]);
  });

  it('lists requests, and finds those of an outcome', async () => {
    const { page, problems } = await open('/ai/requests', { width: 390 });
    await page.getByText('answered').first().waitFor();
    await page.getByLabel('Outcome').fill('nothing_like_it');
    await page.keyboard.press('Enter');
    await page.getByText('No request fits').waitFor();
    expect(await overflowOf(page)).toBe(0);
    expect(await findings(page)).toEqual([]);
    expect(problems).toEqual([]);
  });
});
