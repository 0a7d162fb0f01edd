import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';

import type { AiLimits } from '#server/domain/account/account-ai-limits.ts';
import { changeAccount } from '#server/domain/account/change-account.ts';
import { ask, startChatServer, until, type ChatSetup } from '#test/support/chat.ts';
import { someUpstream } from '#test/support/chat-model.ts';
import { startTestServer, type TestAccount, type TestServer } from '#test/support/server.ts';

const words = (count: number) => 'word '.repeat(count);
const tools = (count: number) =>
  Array.from({ length: count }, (_, at) => ({ type: 'function', function: { name: `f${at}`, parameters: {} } }));
const flatTools = (count: number) => Array.from({ length: count }, (_, at) => ({ type: 'function', name: `f${at}` }));
const messages = (count: number) =>
  Array.from({ length: count }, (_, at) => ({ role: at % 2 === 0 ? 'user' : 'assistant', content: 'Hi' }));

async function setUp(plan: 'standard' | 'pro' | 'enterprise' = 'enterprise') {
  const setup = await startChatServer();
  const account = await setup.server.account(plan);
  return { ...setup, account, credential: account.credential, limit: limiting(setup.server, account) };
}

const limiting =
  (server: TestServer, { id }: TestAccount) =>
  (aiLimits: Partial<AiLimits> | null) =>
    changeAccount(server.running.app.stores, { accountId: id, aiLimits });

function send(server: TestServer, credential: string, path: string, body: object) {
  return server.send(path, { method: 'POST', credential, body: JSON.stringify(body) });
}

const limitsOf = async ({ server }: Pick<ChatSetup, 'server'>, credential: string) =>
  (await server.send('/v2/ai/usage', { credential })).json().limits;

describe('the limits of an account in the AI gateway', () => {
  it('are those of the plan, until an operator sets others, and are told', async () => {
    const { server, credential, limit } = await setUp('pro');
    const ofPlan = {
      ...{ context_tokens: 24_576, output_tokens: 6144, concurrent: 1, pacing_seconds: 2 },
      ...{ tools: 128, messages: 2000, chat_tools: 32, chat_messages: 100 },
    };
    expect(await limitsOf({ server }, credential)).toEqual(ofPlan);
    await limit({ contextTokens: 200_000, tools: 256 });
    expect(await limitsOf({ server }, credential)).toEqual({
      ...ofPlan,
      ...{ context_tokens: 200_000, tools: 256, chat_tools: 256 },
    });
    await limit({ contextTokens: null, messages: 7 });
    expect(await limitsOf({ server }, credential)).toEqual({
      ...ofPlan,
      ...{ tools: 256, chat_tools: 256, messages: 7, chat_messages: 7 },
    });
    await limit(null);
    expect(await limitsOf({ server }, credential)).toEqual(ofPlan);
  });

  it('lift the context window and the longest answer', async () => {
    const { server, upstream, account, credential, limit } = await setUp();
    const body = { messages: [{ role: 'user', content: words(40_000) }], max_tokens: 20_000 };
    const refused = await ask(server, credential, body);
    expect(refused.status).toBe(400);
    expect(refused.json().error.message).toMatch(
      new RegExp(
        `Prompt is too long: at least 32\\d{3} tokens > 32768 maximum\\. ` +
          `The operator of this server can change this limit: ` +
          `cubby account set-ai-limits ${account.id} --context-tokens N\\.$`,
      ),
    );
    await limit({ contextTokens: 50_000, outputTokens: 16_000 });
    expect((await ask(server, credential, body)).status).toBe(200);
    expect(upstream.requests[0]!.body.max_tokens ?? upstream.requests[0]!.body.max_completion_tokens).toBe(16_000);
  });

  it('let an account have more requests at once, and name the limit that rejects one', async () => {
    const { server, upstream, account, credential, limit } = await setUp();
    await limit({ concurrent: 3 });
    const open = Promise.withResolvers<void>();
    upstream.answer({ text: 'At last.', after: open.promise });
    const running = [1, 2, 3].map(() => ask(server, credential, 'hello'));
    await until(() => upstream.requests.length === 3);
    const { error } = (await ask(server, credential, 'hello')).json();
    expect(error.code).toBe('concurrent_limit_reached');
    expect(error.message).toContain('This account may have 3 at once.');
    expect(error.message).toContain(`cubby account set-ai-limits ${account.id} --concurrent N.`);
    open.resolve();
    expect((await Promise.all(running)).map(({ status }) => status)).toEqual([200, 200, 200]);
  });

  it('set another pace, and name it', async () => {
    const { server, credential, limit } = await setUp('standard');
    await limit({ pacingSeconds: 3 });
    expect((await ask(server, credential, 'hello')).status).toBe(200);
    const refused = await ask(server, credential, 'hello');
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '3']);
    expect(refused.json().error.message).toContain('begin at least 3 seconds apart. The operator of this server can');
    await limit({ pacingSeconds: 0 });
    expect((await ask(server, credential, 'hello')).status).toBe(200);
  });
});

describe('the tools and messages of a request', () => {
  const forms = [
    {
      ...{ form: 'chat completions', path: '/v2/ai/chat/completions', most: 32, mostMessages: 100 },
      ...{ code: 'invalid_messages', field: 'messages' },
      body: (count: number, of: number) => ({ messages: messages(of), tools: tools(count) }),
    },
    {
      ...{ form: 'Open Responses', path: '/v2/ai/responses', most: 128, mostMessages: 2000 },
      ...{ code: 'invalid_input', field: 'input' },
      body: (count: number, of: number) => ({ input: messages(of), tools: flatTools(count) }),
    },
    {
      ...{ form: 'the Messages API', path: '/v2/ai/messages', most: 128, mostMessages: 2000 },
      ...{ code: 'invalid_body', field: 'messages' },
      body: (count: number, of: number) => ({
        max_tokens: 5,
        messages: messages(of),
        tools: Array.from({ length: count }, (_, at) => ({ name: `f${at}`, input_schema: { type: 'object' } })),
      }),
    },
  ];

  it.each(forms)('have a limit in $form, which an operator can change', async (form) => {
    const { server, account, credential, limit } = await setUp();
    const { path, body, most, mostMessages } = form;
    const attempt = async (count: number, of: number) => {
      const answer = await send(server, credential, path, body(count, of));
      return answer.status === 200 ? 200 : answer.json().error;
    };
    expect(await attempt(most, mostMessages - 1)).toBe(200);
    expect(await attempt(most + 1, 1)).toMatchObject({
      code: 'invalid_tools',
      message:
        `tools has ${most + 1} entries, but a request of this account may have ${most}. Send fewer. The operator of ` +
        `this server can change this limit: cubby account set-ai-limits ${account.id} --tools N.`,
    });
    expect(await attempt(0, mostMessages + 1)).toMatchObject({
      code: form.code,
      message: expect.stringContaining(
        `${form.field} has ${mostMessages + 1} entries, but a request of this account may have ${mostMessages}.`,
      ),
    });
    await limit({ tools: 3, messages: mostMessages + 1 });
    expect(await attempt(4, 1)).toMatchObject({ code: 'invalid_tools' });
    expect(await attempt(3, mostMessages + 1)).toBe(200);
  });
});

describe('the limits of plans in the file of models', () => {
  it('apply to accounts without limits of their own, and change with the file', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'cubby-models-'));
    onTestFinished(() => rm(folder, { recursive: true }));
    const upstream = await someUpstream();
    const path = join(folder, 'models.toml');
    const write = (plans: string) =>
      writeFile(path, `${plans}\n[[models]]\nname = "cubic"\n[[models.upstreams]]\nurl = "${upstream.url}"\n`);
    await write('[plans.enterprise]\ncontext_tokens = 200_000\nconcurrent = 8');
    const server = await startTestServer({ env: { CUBBY_AI_MODELS_FILE: path }, pollModelsMs: 5 });
    const account = await server.account('enterprise');
    const { credential } = account;
    expect(await limitsOf({ server }, credential)).toMatchObject({ context_tokens: 200_000, concurrent: 8 });
    expect(await limitsOf({ server }, (await server.account('pro')).credential)).toMatchObject({ concurrent: 1 });
    await limiting(server, account)({ concurrent: 5 });
    expect(await limitsOf({ server }, credential)).toMatchObject({ context_tokens: 200_000, concurrent: 5 });
    await write('[plans.enterprise]\ncontext_tokens = 100_000');
    await expect.poll(async () => (await limitsOf({ server }, credential)).context_tokens).toBe(100_000);
  });
});
