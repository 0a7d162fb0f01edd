import { createAnthropic } from '@ai-sdk/anthropic';
import Anthropic from '@anthropic-ai/sdk';
import { generateText, jsonSchema, stepCountIs, streamText, tool } from 'ai';
import { expect, it } from 'vitest';

import { chunkOf, type UpstreamMessage } from '#mocks/chat-upstream-answers.ts';
import { spentToday, startChatServer } from '#test/support/chat.ts';
import { describeWith } from '#test/support/describe-with.ts';

const describe = describeWith('@ai-sdk/anthropic', '@anthropic-ai/sdk', 'ai');

const callsTool: UpstreamMessage = {
  text: 'I look.',
  toolCalls: [{ id: 'call_9', name: 'find_invoice', arguments: '{"month":"2026-04"}' }],
  usage: { prompt_tokens: 70, completion_tokens: 16 },
};
const answersText: UpstreamMessage = { text: 'It is 48 KB.', usage: { prompt_tokens: 90, completion_tokens: 6 } };
const breaksOff = {
  pieces: [chunkOf({ content: 'It ' }), chunkOf({ content: 'is ' })],
  pauseMs: 5,
  atEnd: 'hang-up' as const,
};
const question: Anthropic.MessageParam = { role: 'user', content: 'How large is the invoice of April?' };
const tools: Anthropic.Tool[] = [
  {
    name: 'find_invoice',
    description: 'Finds the invoice of a month.',
    input_schema: { type: 'object', properties: { month: { type: 'string' } }, required: ['month'] },
  },
];
const asked = { model: 'cubic', max_tokens: 200, messages: [question] };

async function setUp() {
  const setup = await startChatServer();
  const { credential } = await setup.server.account('enterprise');
  const baseURL = `${setup.server.running.urls.api}/v2/ai`;
  const clientOf = (apiKey: string) => new Anthropic({ apiKey, baseURL, maxRetries: 0 });
  return { ...setup, credential, clientOf, client: clientOf(credential) };
}

describe('@anthropic-ai/sdk', () => {
  it('returns a text, with the usage that is charged', async () => {
    const { upstream, client, server, credential } = await setUp();
    upstream.answer(answersText);
    const message = await client.messages.create({ ...asked, system: 'Be brief.', stop_sequences: ['END'] });
    expect(message).toMatchObject({ content: [{ type: 'text', text: 'It is 48 KB.' }], stop_reason: 'end_turn' });
    expect(message.usage).toMatchObject({ input_tokens: 90, output_tokens: 6 });
    expect((await spentToday(server, credential)).tokens).toBe(96);
  });

  it.each([false, true])('calls a function, and sends its result back, streamed: %s', async (isStreamed) => {
    const { upstream, client } = await setUp();
    upstream.answer(callsTool, answersText);
    const send = (messages: Anthropic.MessageParam[]) =>
      isStreamed
        ? client.messages.stream({ ...asked, tools, messages }).finalMessage()
        : client.messages.create({ ...asked, tools, messages });
    const first = await send([question]);
    expect(first.stop_reason).toBe('tool_use');
    expect(first.content).toMatchObject([
      { type: 'text', text: 'I look.' },
      { type: 'tool_use', id: 'call_9', name: 'find_invoice', input: { month: '2026-04' } },
    ]);
    const result: Anthropic.ToolResultBlockParam = { type: 'tool_result', tool_use_id: 'call_9', content: '48213' };
    const second = await send([
      question,
      { role: 'assistant', content: first.content },
      { role: 'user', content: [result] },
    ]);
    expect(second.content).toMatchObject([{ type: 'text', text: 'It is 48 KB.' }]);
    expect(second.usage).toMatchObject({ input_tokens: 90, output_tokens: 6 });
    expect(upstream.requests[1]!.body.messages).toMatchObject([
      { role: 'user' },
      { role: 'assistant', content: 'I look.', tool_calls: [{ id: 'call_9' }] },
      { role: 'tool', tool_call_id: 'call_9', content: '48213' },
    ]);
  });

  it('streams text piece by piece', async () => {
    const { upstream, client } = await setUp();
    upstream.answer(answersText);
    const texts: string[] = [];
    await client.messages
      .stream(asked)
      .on('text', (text) => void texts.push(text))
      .done();
    expect(texts.join('')).toBe('It is 48 KB.');
    expect(texts.length).toBeGreaterThan(2);
  });

  it('throws the error of a stream that breaks off', async () => {
    const { upstream, client } = await setUp();
    upstream.answer(breaksOff);
    let text = '';
    const read = async () => {
      for await (const event of await client.messages.create({ ...asked, stream: true }))
        if (event.type === 'content_block_delta' && event.delta.type === 'text_delta') text += event.delta.text;
    };
    await expect(read()).rejects.toMatchObject({ type: 'overloaded_error' });
    expect(text).toBe('It is ');
  });

  it('throws typed errors', async () => {
    const { clientOf, client } = await setUp();
    const wrong = clientOf('cbk_wrong').messages.create(asked);
    await expect(wrong).rejects.toBeInstanceOf(Anthropic.AuthenticationError);
    const image = { type: 'image' as const, source: { type: 'url' as const, url: 'https://example.com/a.png' } };
    const picture = client.messages.create({ ...asked, messages: [{ role: 'user', content: [image] }] });
    await expect(picture).rejects.toMatchObject({
      status: 400,
      type: 'invalid_request_error',
      error: { error: { code: 'multimodal_not_supported' } },
    });
  });
});

describe('ai with @ai-sdk/anthropic', () => {
  const find_invoice = tool({
    inputSchema: jsonSchema<{ month: string }>(tools[0]!.input_schema as object),
    execute: async ({ month }) => ({ month, size: 48213 }),
  });
  const prompt = 'How large is the invoice of April?';
  const setUpModel = async () => {
    const { upstream, server, credential } = await setUp();
    const provider = createAnthropic({ baseURL: `${server.running.urls.api}/v2/ai`, apiKey: credential });
    return { upstream, options: { model: provider('cubic'), prompt, maxRetries: 0 } };
  };

  it.each([false, true])('runs functions by itself, streamed: %s', async (isStreamed) => {
    const { upstream, options } = await setUpModel();
    upstream.answer(callsTool, answersText);
    const steps = { ...options, tools: { find_invoice }, stopWhen: stepCountIs(3) };
    const answer = isStreamed ? streamText(steps) : await generateText(steps);
    expect(await answer.text).toBe('It is 48 KB.');
    expect((await answer.steps).map(({ finishReason }) => finishReason)).toEqual(['tool-calls', 'stop']);
    expect(upstream.requests[1]!.body.messages).toMatchObject([
      { role: 'user' },
      { role: 'assistant', content: 'I look.', tool_calls: [{ id: 'call_9' }] },
      { role: 'tool', tool_call_id: 'call_9', content: expect.stringContaining('48213') },
    ]);
  });

  it('reports a stream that breaks off', async () => {
    const { upstream, options } = await setUpModel();
    upstream.answer(breaksOff);
    const errors: unknown[] = [];
    const answer = streamText({ ...options, onError: ({ error }) => void errors.push(error) });
    const text = (await Array.fromAsync(answer.textStream)).join('');
    expect([text, errors.length > 0]).toEqual(['It is ', true]);
  });
});
