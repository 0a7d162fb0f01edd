import { createOpenAI } from '@ai-sdk/openai';
import { Agent, OpenAIResponsesModel, run, setTracingDisabled, tool as agentTool } from '@openai/agents';
import { generateText, jsonSchema, Output, stepCountIs, streamText, tool } from 'ai';
import * as ai from 'ai';
import OpenAI from 'openai';
import { expect, it } from 'vitest';

import { chunkOf, type UpstreamMessage } from '#mocks/chat-upstream-answers.ts';
import { spentToday, startChatServer } from '#test/support/chat.ts';
import { describeWith } from '#test/support/describe-with.ts';
import { openAiClient } from './clients.ts';

const describe = describeWith(
  '@ai-sdk/openai',
  '@ai-sdk/openai-compatible',
  '@langchain/openai',
  '@openai/agents',
  'ai',
  'openai',
);

const parameters = {
  type: 'object' as const,
  properties: { month: { type: 'string' as const } },
  required: ['month'],
  additionalProperties: false as const,
};
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
const input = 'How large is the invoice of April?';
const tools: OpenAI.Responses.FunctionTool[] = [{ type: 'function', name: 'find_invoice', parameters, strict: true }];
/** The messages that the model gets after the call. */
const askedAgain = [
  { role: 'user' },
  { role: 'assistant', tool_calls: [{ id: 'call_9' }] },
  { role: 'tool', tool_call_id: 'call_9', content: expect.stringContaining('48213') },
];

async function setUp() {
  const setup = await startChatServer();
  const { credential } = await setup.server.account('enterprise');
  const api = setup.server.running.urls.api;
  const client = openAiClient({ api, credential });
  // The default model of this provider speaks the form of responses.
  const model = createOpenAI({ baseURL: `${api}/v2/ai`, apiKey: credential })('cubic');
  return { ...setup, credential, api, client, model };
}

describe('openai responses', () => {
  it('returns a text, with the usage that is charged', async () => {
    const { upstream, client, server, credential } = await setUp();
    upstream.answer(answersText);
    const response = await client.responses.create({ model: 'cubic', input, metadata: { ticket: '7' } });
    expect(response).toMatchObject({ output_text: 'It is 48 KB.', status: 'completed', metadata: { ticket: '7' } });
    expect(response.usage).toMatchObject({ input_tokens: 90, output_tokens: 6, total_tokens: 96 });
    expect((await spentToday(server, credential)).tokens).toBe(96);
  });

  it('calls a function, and sends the items of the answer back', async () => {
    const { upstream, client } = await setUp();
    upstream.answer(callsTool, answersText);
    const first = await client.responses.create({ model: 'cubic', input, tools, store: false });
    const [call] = first.output;
    expect(call).toMatchObject({ type: 'function_call', call_id: 'call_9', arguments: '{"month":"2026-04"}' });
    const second = await client.responses.create({
      model: 'cubic',
      input: [
        { role: 'user', content: input },
        ...(first.output as OpenAI.Responses.ResponseInputItem[]),
        { type: 'function_call_output', call_id: 'call_9', output: '{"size":48213}' },
      ],
      tools,
      store: false,
    });
    expect(second.output_text).toBe('It is 48 KB.');
    expect(upstream.requests[1]!.body.messages).toMatchObject(askedAgain);
  });

  it('streams text, and gathers it', async () => {
    const { upstream, client } = await setUp();
    upstream.answer(answersText);
    const stream = client.responses.stream({ model: 'cubic', input });
    const deltas: string[] = [];
    stream.on('response.output_text.delta', ({ delta }) => void deltas.push(delta));
    const response = await stream.finalResponse();
    expect([deltas.join(''), response.output_text, response.status]).toEqual([
      'It is 48 KB.',
      'It is 48 KB.',
      'completed',
    ]);
    expect(deltas.length).toBeGreaterThan(2);
  });

  it('streams a call of a function', async () => {
    const { upstream, client } = await setUp();
    upstream.answer(callsTool);
    const response = await client.responses.stream({ model: 'cubic', input, tools }).finalResponse();
    expect(response.output).toMatchObject([
      { type: 'function_call', name: 'find_invoice', arguments: '{"month":"2026-04"}' },
    ]);
  });

  it('parses JSON that matches a schema', async () => {
    const { upstream, client } = await setUp();
    upstream.answer({ text: '{"month":"2026-04"}' });
    const format = { type: 'json_schema' as const, name: 'invoice', schema: parameters, strict: true };
    const { output_parsed } = await client.responses.parse({ model: 'cubic', input, text: { format } });
    expect(output_parsed).toEqual({ month: '2026-04' });
    expect(upstream.requests[0]!.body.response_format).toEqual({
      type: 'json_schema',
      json_schema: { name: 'invoice', schema: parameters, strict: true },
    });
  });

  it('throws the error of a stream that breaks off', async () => {
    const { upstream, client } = await setUp();
    upstream.answer(breaksOff);
    let text = '';
    const read = async () => {
      for await (const event of await client.responses.create({ model: 'cubic', input, stream: true }))
        if (event.type === 'response.output_text.delta') text += event.delta;
    };
    await expect(read()).rejects.toMatchObject({ code: 'server_overloaded', type: 'server_error' });
    expect(text).toBe('It is ');
  });

  it('throws typed errors', async () => {
    const { api, client } = await setUp();
    const wrong = openAiClient({ api, credential: 'cbk_wrong' });
    await expect(wrong.responses.create({ model: 'cubic', input })).rejects.toBeInstanceOf(OpenAI.AuthenticationError);
    const stored = client.responses.create({ model: 'cubic', input, store: true });
    await expect(stored).rejects.toMatchObject({
      status: 400,
      code: 'invalid_body',
      message: expect.stringContaining('store'),
    });
  });
});

const findInvoice = tool({
  inputSchema: jsonSchema<{ month: string }>(parameters),
  execute: async ({ month }) => ({ month, size: 48213 }),
});
const stateless = { openai: { store: false } };

describe('ai with the default model of @ai-sdk/openai', () => {
  it('streams, and runs functions by itself', async () => {
    const { upstream, model } = await setUp();
    upstream.answer(callsTool, answersText);
    const answer = streamText({
      model,
      prompt: input,
      tools: { find_invoice: findInvoice },
      stopWhen: stepCountIs(3),
      providerOptions: stateless,
      maxRetries: 0,
    });
    expect((await Array.fromAsync(answer.textStream)).join('')).toBe('It is 48 KB.');
    expect((await answer.steps).map(({ finishReason }) => finishReason)).toEqual(['tool-calls', 'stop']);
    expect(upstream.requests[1]!.body.messages).toMatchObject(askedAgain);
  });

  it('does so without a stream too', async () => {
    const { upstream, model } = await setUp();
    upstream.answer(callsTool, answersText);
    const { text, totalUsage } = await generateText({
      model,
      prompt: input,
      tools: { find_invoice: findInvoice },
      stopWhen: stepCountIs(3),
      providerOptions: stateless,
      maxRetries: 0,
    });
    expect([text, totalUsage.totalTokens]).toEqual(['It is 48 KB.', 182]);
    expect(upstream.requests[1]!.body.messages).toMatchObject(askedAgain);
  });

  it('says what to do when it refers to an item', async () => {
    const { upstream, model } = await setUp();
    upstream.answer(answersText);
    const user = { role: 'user' as const, content: input };
    const { response } = await generateText({ model, prompt: input, maxRetries: 0 });
    const history = [user, ...response.messages, user];
    await expect(generateText({ model, messages: history, maxRetries: 0 })).rejects.toThrow(
      'The gateway keeps none. Send the item itself, with store: false.',
    );
    const { text } = await generateText({ model, messages: history, providerOptions: stateless, maxRetries: 0 });
    expect(text).toBe('It is 48 KB.');
    expect(upstream.requests[1]!.body.messages).toMatchObject([
      { role: 'user' },
      { role: 'assistant', content: 'It is 48 KB.' },
      { role: 'user' },
    ]);
  });

  it('generates objects', async () => {
    const { upstream, model } = await setUp();
    upstream.answer({ text: '{"month":"2026-04"}' });
    const schema = jsonSchema<{ month: string }>(parameters);
    const { output } = await generateText({ model, prompt: input, output: Output.object({ schema }), maxRetries: 0 });
    expect(output).toEqual({ month: '2026-04' });
    if ('generateObject' in ai) {
      const { object } = await ai.generateObject({ model, prompt: input, schema, maxRetries: 0 });
      expect(object).toEqual({ month: '2026-04' });
    }
    expect(upstream.requests[0]!.body.response_format).toMatchObject({
      type: 'json_schema',
      json_schema: { schema: parameters },
    });
  });

  it('reports a stream that breaks off', async () => {
    const { upstream, model } = await setUp();
    upstream.answer(breaksOff);
    const errors: unknown[] = [];
    const answer = streamText({ model, prompt: input, maxRetries: 0, onError: ({ error }) => void errors.push(error) });
    const text = (await Array.fromAsync(answer.textStream)).join('');
    expect([text, errors.length > 0]).toEqual(['It is ', true]);
  });
});

describe('@openai/agents', () => {
  it.each([false, true])('runs an agent with a function, streamed: %s', async (stream) => {
    const { upstream, client } = await setUp();
    upstream.answer(callsTool, answersText);
    setTracingDisabled(true);
    const agent = new Agent({
      name: 'Clerk',
      instructions: 'Answer briefly.',
      model: new OpenAIResponsesModel(client as never, 'cubic'),
      tools: [
        agentTool({
          name: 'find_invoice',
          description: 'Finds the invoice of a month.',
          parameters: { ...parameters, required: ['month'] },
          strict: true,
          execute: async () => ({ size: 48213 }),
        }),
      ],
    });
    if (stream) {
      const result = await run(agent, input, { stream: true });
      await result.completed;
      expect(result.finalOutput).toBe('It is 48 KB.');
    } else expect((await run(agent, input)).finalOutput).toBe('It is 48 KB.');
    expect(upstream.requests[1]!.body.messages).toMatchObject([{ role: 'system' }, ...askedAgain]);
  });
});
