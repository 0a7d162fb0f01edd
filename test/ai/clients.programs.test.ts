import { AIMessage, HumanMessage, ToolMessage } from '@langchain/core/messages';
import { generateText, jsonSchema, stepCountIs, tool, type ModelMessage } from 'ai';
import OpenAI from 'openai';
import { expect, it } from 'vitest';

import { startOfDay } from '#server/domain/account/usage-days.ts';
import { MemoryChatReservations } from '#server/features/chat/stores/memory/chat-reservations.ts';
import type { UpstreamMessage } from '#mocks/chat-upstream-answers.ts';
import { holdReservation } from '#test/support/chat-gateway.ts';
import { startChatServer, type ChatSetup } from '#test/support/chat.ts';
import { describeWith } from '#test/support/describe-with.ts';
import { startTestServer } from '#test/support/server.ts';
import { aiSdkModel, langChainModel, openAiClient, type ClientOptions } from './clients.ts';

const describe = describeWith('@ai-sdk/openai-compatible', '@langchain/core', '@langchain/openai', 'ai', 'openai');

const parameters = { type: 'object' as const, properties: { month: { type: 'string' as const } }, required: ['month'] };
const callsTool: UpstreamMessage = {
  toolCalls: [{ id: 'call_9', name: 'find_invoice', arguments: '{"month":"2026-04"}' }],
  usage: { prompt_tokens: 70, completion_tokens: 16 },
};
const answersText: UpstreamMessage = { text: 'It is 48 KB.', usage: { prompt_tokens: 90, completion_tokens: 6 } };

interface Setup extends ChatSetup {
  readonly options: ClientOptions;
}

async function setUp(): Promise<Setup> {
  const setup = await startChatServer();
  const { credential } = await setup.server.account('enterprise');
  return { ...setup, options: { api: setup.server.running.urls.api, credential } };
}

/** Checks what the upstream receives in a whole function round trip. It is the same for every client. */
function expectRoundTrip({ upstream }: ChatSetup): void {
  expect(upstream.requests[0]!.body.tools).toMatchObject([
    { type: 'function', function: { name: 'find_invoice', parameters } },
  ]);
  const messages = upstream.requests[1]!.body.messages as any[];
  expect(messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'tool']);
  const [sent] = messages[1].tool_calls;
  expect({ ...sent, function: { ...sent.function, arguments: JSON.parse(sent.function.arguments) } }).toEqual({
    id: 'call_9',
    type: 'function',
    function: { name: 'find_invoice', arguments: { month: '2026-04' } },
  });
  expect(messages[2]).toMatchObject({ tool_call_id: 'call_9', content: expect.stringContaining('48213') });
}

describe('openai', () => {
  it('chats, lists the model and calls a function', async () => {
    const setup = await setUp();
    const client = openAiClient(setup.options);
    expect((await client.models.list()).data.map(({ id }) => id)).toEqual(['cubic']);
    setup.upstream.answer(callsTool, answersText);
    const messages: OpenAI.ChatCompletionMessageParam[] = [
      { role: 'user', content: 'How large is the invoice of April?' },
    ];
    const tools: OpenAI.ChatCompletionTool[] = [{ type: 'function', function: { name: 'find_invoice', parameters } }];
    const { message, finish_reason } = (await client.chat.completions.create({ model: 'cubic', messages, tools }))
      .choices[0]!;
    expect(finish_reason).toBe('tool_calls');
    const last = await client.chat.completions.create({
      model: 'cubic',
      tools,
      messages: [...messages, message, { role: 'tool', tool_call_id: message.tool_calls![0]!.id, content: '48213' }],
    });
    expect(last).toMatchObject({
      model: 'cubic',
      choices: [{ message: { content: 'It is 48 KB.' } }],
      usage: { prompt_tokens: 90, completion_tokens: 6, total_tokens: 96 },
    });
    expectRoundTrip(setup);
  });

  it('sends its key with "Bearer" and throws typed errors when the server rejects a request', async () => {
    const { options } = await setUp();
    await expect(openAiClient({ ...options, credential: 'cbk_wrong' }).models.list()).rejects.toBeInstanceOf(
      OpenAI.AuthenticationError,
    );
    await expect(
      openAiClient(options).chat.completions.create({ model: 'cubic', messages: [], stream: true }),
    ).rejects.toMatchObject({ status: 400, code: 'invalid_messages' });
  });
});

describe('ai with @ai-sdk/openai-compatible', () => {
  it('chats and runs functions by itself', async () => {
    const setup = await setUp();
    setup.upstream.answer(callsTool, answersText);
    const findInvoice = tool({
      inputSchema: jsonSchema<{ month: string }>(parameters),
      execute: async ({ month }) => ({ month, size: 48213 }),
    });
    const answer = await generateText({
      model: aiSdkModel(setup.options),
      prompt: 'How large is the invoice of April?',
      tools: { find_invoice: findInvoice },
      stopWhen: stepCountIs(3),
      maxRetries: 0,
    });
    expect(answer.text).toBe('It is 48 KB.');
    expect(answer.steps.map(({ finishReason }) => finishReason)).toEqual(['tool-calls', 'stop']);
    expect(answer.totalUsage).toMatchObject({ inputTokens: 160, outputTokens: 22 });
    expectRoundTrip(setup);
  });

  it('sends a conversation of several messages', async () => {
    const { options, upstream } = await setUp();
    const messages: ModelMessage[] = [
      { role: 'user', content: 'Hello' },
      { role: 'assistant', content: 'Hi.' },
      { role: 'user', content: 'And now?' },
    ];
    expect(
      (
        await generateText({
          model: aiSdkModel(options),
          instructions: 'Be brief.',
          messages,
          maxOutputTokens: 9,
          temperature: 0.3,
          maxRetries: 0,
        })
      ).text,
    ).toBe('echo: And now?');
    expect(upstream.requests[0]!.body).toMatchObject({ max_tokens: 9, temperature: 0.3 });
  });
});

describe('@langchain/openai', () => {
  it('chats and calls a function', async () => {
    const setup = await setUp();
    setup.upstream.answer(callsTool, answersText);
    const model = langChainModel(setup.options).bindTools([
      { type: 'function', function: { name: 'find_invoice', parameters } },
    ]);
    const question = new HumanMessage('How large is the invoice of April?');
    const call = await model.invoke([question]);
    expect(call).toBeInstanceOf(AIMessage);
    expect(call.tool_calls).toMatchObject([{ id: 'call_9', name: 'find_invoice', args: { month: '2026-04' } }]);
    const answer = await model.invoke([question, call, new ToolMessage({ tool_call_id: 'call_9', content: '48213' })]);
    expect(answer.text).toBe('It is 48 KB.');
    expect(answer.usage_metadata).toMatchObject({ input_tokens: 90, output_tokens: 6, total_tokens: 96 });
    expectRoundTrip(setup);
  });
});

describe('a client that retries', () => {
  /** Returns a `fetch` that records when the client sent each request. */
  function counting(): { readonly sentAt: number[]; readonly fetch: typeof fetch } {
    const sentAt: number[] = [];
    return { sentAt, fetch: (...request) => (sentAt.push(performance.now()), fetch(...request)) };
  }

  const ways = {
    openai: (options: ClientOptions) =>
      openAiClient({ ...options, maxRetries: 1 }).chat.completions.create({
        model: 'cubic',
        messages: [{ role: 'user', content: 'hello' }],
      }),
    'the AI SDK': (options: ClientOptions) =>
      generateText({ model: aiSdkModel(options), prompt: 'hello', maxRetries: 1 }),
    LangChain: (options: ClientOptions) => langChainModel({ ...options, maxRetries: 1 }).invoke('hello'),
  };

  it.concurrent.each(Object.entries(ways))(
    '%s succeeds on its second try after server_overloaded',
    async (name, complete) => {
      let reservations!: MemoryChatReservations;
      const server = await startTestServer({
        chatReservations: (metadata) => (reservations = new MemoryChatReservations(metadata)),
        env: { CUBBY_AI_MAX_CONCURRENT: '1' },
      });
      try {
        const { credential } = await server.account();
        const held = await holdReservation(reservations, 'another', server.clock.now());
        const { sentAt, fetch } = counting();
        // The place is free again once the first request was refused, however slow the machine is.
        const freeing: typeof fetch = async (...request) => {
          const answer = await fetch(...request);
          await reservations.release(held);
          return answer;
        };
        await complete({ api: server.running.urls.api, credential, fetch: freeing });
        expect(sentAt).toHaveLength(2);
        // LangChain chooses its own pause.
        if (name !== 'LangChain') expect(sentAt[1]! - sentAt[0]!).toBeGreaterThanOrEqual(1990);
      } finally {
        await server.stop();
      }
    },
  );

  it.concurrent.each(Object.entries(ways))(
    "%s is charged nothing when the day's tokens are spent (openai and LangChain do not retry)",
    async (name, complete) => {
      const server = await startTestServer();
      try {
        const { id, credential } = await server.account('standard');
        const now = server.clock.now();
        await server.running.app.stores.metadata.atomically((tx) =>
          tx.chat.charge(
            { accountId: id, keyId: 'key', model: 'cubic', day: startOfDay(now), startedAt: now - 60_000 },
            { inputTokens: 2_500_000, outputTokens: 0 },
          ),
        );
        const { sentAt, fetch } = counting();
        await expect(complete({ api: server.running.urls.api, credential, fetch })).rejects.toThrow(
          /tokens of today are spent/,
        );
        expect(sentAt).toHaveLength(name === 'the AI SDK' ? 2 : 1);
        const { requests, tokens } = (await server.send('/v2/ai/usage', { credential })).json();
        expect([requests.today.used, tokens.today.used]).toEqual([1, 2_500_000]);
      } finally {
        await server.stop();
      }
    },
  );
});
