import { createOpenAI } from '@ai-sdk/openai';
import { HumanMessage } from '@langchain/core/messages';
import { jsonSchema, stepCountIs, streamText, tool } from 'ai';
import OpenAI from 'openai';
import { expect, it } from 'vitest';

import { chunkOf, type UpstreamMessage } from '#mocks/chat-upstream-answers.ts';
import { spentToday, startChatServer } from '#test/support/chat.ts';
import { describeWith } from '#test/support/describe-with.ts';
import { aiSdkModel, langChainModel, openAiClient, type ClientOptions } from './clients.ts';

const describe = describeWith(
  '@ai-sdk/openai',
  '@ai-sdk/openai-compatible',
  '@langchain/core',
  '@langchain/openai',
  'ai',
  'openai',
);

const parameters = { type: 'object' as const, properties: { month: { type: 'string' as const } }, required: ['month'] };
const callsTool: UpstreamMessage = {
  toolCalls: [{ id: 'call_9', name: 'find_invoice', arguments: '{"month":"2026-04"}' }],
  usage: { prompt_tokens: 70, completion_tokens: 16 },
};
const answersText: UpstreamMessage = { text: 'It is 48 KB.', usage: { prompt_tokens: 90, completion_tokens: 6 } };
const breaksOff = {
  pieces: [chunkOf({ content: 'It ' }), chunkOf({ content: 'is ' })],
  pauseMs: 5,
  atEnd: 'hang-up' as const,
};
const messages: OpenAI.ChatCompletionMessageParam[] = [{ role: 'user', content: 'How large is the invoice of April?' }];
const findInvoice = tool({
  inputSchema: jsonSchema<{ month: string }>(parameters),
  execute: async ({ month }) => ({ month, size: 48213 }),
});

async function setUp() {
  const setup = await startChatServer({ env: { CUBBY_AI_STREAMING: 'on' } });
  const { credential } = await setup.server.account('enterprise');
  return { ...setup, credential, options: { api: setup.server.running.urls.api, credential } };
}

describe('openai', () => {
  it('streams text, with the usage that is charged', async () => {
    const { upstream, options, server, credential } = await setUp();
    upstream.answer(answersText);
    const stream = await openAiClient(options).chat.completions.create({
      model: 'cubic',
      messages,
      stream: true,
      stream_options: { include_usage: true },
    });
    const chunks = await Array.fromAsync(stream);
    expect(chunks[0]!.choices[0]!.delta.role).toBe('assistant');
    expect(chunks.map(({ choices }) => choices[0]?.delta.content ?? '').join('')).toBe('It is 48 KB.');
    expect(chunks.at(-1)).toMatchObject({ choices: [], usage: { prompt_tokens: 90, completion_tokens: 6 } });
    expect((await spentToday(server, credential)).tokens).toBe(96);
  });

  it('gathers a call of a function', async () => {
    const { upstream, options } = await setUp();
    upstream.answer(callsTool);
    const tools: OpenAI.ChatCompletionTool[] = [{ type: 'function', function: { name: 'find_invoice', parameters } }];
    const runner = openAiClient(options).chat.completions.stream({ model: 'cubic', messages, tools });
    const { choices } = await runner.finalChatCompletion();
    expect(choices[0]).toMatchObject({
      finish_reason: 'tool_calls',
      message: { tool_calls: [{ id: 'call_9', function: { name: 'find_invoice', arguments: '{"month":"2026-04"}' } }] },
    });
  });

  it('throws the error of a stream that breaks off', async () => {
    const { upstream, options } = await setUp();
    upstream.answer(breaksOff);
    const stream = await openAiClient(options).chat.completions.create({ model: 'cubic', messages, stream: true });
    let text = '';
    const read = async () => {
      for await (const { choices } of stream) text += choices[0]!.delta.content ?? '';
    };
    await expect(read()).rejects.toMatchObject({ code: 'server_overloaded', type: 'server_error' });
    expect(text).toBe('It is ');
  });

  it('throws typed errors for a stream that is rejected', async () => {
    const { options } = await setUp();
    const asking = openAiClient({ ...options, credential: 'cbk_wrong' }).chat.completions.create({
      model: 'cubic',
      messages,
      stream: true,
    });
    await expect(asking).rejects.toBeInstanceOf(OpenAI.AuthenticationError);
  });
});

const aiSdkModels = {
  '@ai-sdk/openai-compatible': (options: ClientOptions) => aiSdkModel(options),
  '@ai-sdk/openai .chat()': ({ api, credential }: ClientOptions) =>
    createOpenAI({ baseURL: `${api}/v2/ai`, apiKey: credential }).chat('cubic'),
};

describe.each(Object.entries(aiSdkModels))('ai with %s', (_, modelOf) => {
  it('streams, and runs functions by itself', async () => {
    const { upstream, options } = await setUp();
    upstream.answer(callsTool, answersText);
    const answer = streamText({
      model: modelOf(options),
      prompt: 'How large is the invoice of April?',
      tools: { find_invoice: findInvoice },
      stopWhen: stepCountIs(3),
      maxRetries: 0,
    });
    expect((await Array.fromAsync(answer.textStream)).join('')).toBe('It is 48 KB.');
    expect((await answer.steps).map(({ finishReason }) => finishReason)).toEqual(['tool-calls', 'stop']);
    const sent = upstream.requests[1]!.body.messages as any[];
    expect(sent.map(({ role }) => role)).toEqual(['user', 'assistant', 'tool']);
    expect(sent[2]).toMatchObject({ tool_call_id: 'call_9', content: expect.stringContaining('48213') });
  });

  it('reports a stream that breaks off', async () => {
    const { upstream, options } = await setUp();
    upstream.answer(breaksOff);
    const errors: unknown[] = [];
    const answer = streamText({
      model: modelOf(options),
      prompt: 'How large?',
      maxRetries: 0,
      onError: ({ error }) => void errors.push(error),
    });
    const text = (await Array.fromAsync(answer.textStream)).join('');
    expect([text, errors.length > 0]).toEqual(['It is ', true]);
  });
});

describe('@langchain/openai', () => {
  it('streams text and a call of a function', async () => {
    const { upstream, options } = await setUp();
    upstream.answer(answersText, callsTool);
    const model = langChainModel(options);
    const question = [new HumanMessage('How large is the invoice of April?')];
    const texts = await Array.fromAsync(await model.stream(question), ({ text }) => text);
    expect(texts.join('')).toBe('It is 48 KB.');
    const bound = model.bindTools([{ type: 'function', function: { name: 'find_invoice', parameters } }]);
    const chunks = await Array.fromAsync(await bound.stream(question));
    const whole = chunks.reduce((all, chunk) => all.concat(chunk));
    expect(whole.tool_calls).toMatchObject([{ id: 'call_9', name: 'find_invoice', args: { month: '2026-04' } }]);
  });
});
