import { describe, expect, it } from 'vitest';

import type { UpstreamBehaviour } from '#mocks/chat-upstream.ts';
import { upstreamErrors, type UpstreamStatus } from '#mocks/chat-upstream-errors.ts';
import type { ChatTurn } from '#server/features/chat/conversation/conversation.ts';
import { Refusal } from '#server/domain/refusal.ts';
import { patience, question, startChain } from '#test/support/chat-model.ts';

const tools = [
  { name: 'find_invoice', description: 'Finds one.', parameters: { type: 'object' } },
  { name: 'add' },
] as const;

/** Completes a turn with tools over an upstream that behaves like this. */
async function answerTo(behaviour: UpstreamBehaviour, turn: Partial<ChatTurn> = { tools }) {
  const {
    upstreams: [upstream],
    model,
  } = await startChain({ pausesMs: [] });
  upstream!.answer(behaviour);
  return model.complete(question('hello', turn), patience);
}

describe('requests to an upstream', () => {
  it('contain every option of the caller, in the terms of chat clients', async () => {
    const {
      upstreams: [upstream],
      model,
    } = await startChain();
    const turn: ChatTurn = {
      messages: [
        { role: 'system', content: 'Be brief.' },
        { role: 'user', content: 'hello', name: 'ann' },
        { role: 'assistant', content: null, toolCalls: [{ id: 'call_1', name: 'add', arguments: '{"a":1}' }] },
        { role: 'tool', content: '2', toolCallId: 'call_1' },
      ],
      maxOutputTokens: 77,
      tools: [{ ...tools[0], strict: true }, tools[1]],
      toolChoice: { name: 'add' },
      parallelToolCalls: false,
      responseFormat: { type: 'json_schema', name: 'reply', schema: { type: 'object' }, strict: true },
      temperature: 0,
      topP: 0,
      stop: ['END'],
      seed: 0,
      presencePenalty: 0,
      frequencyPenalty: -2,
    };
    await model.complete(turn, patience);
    const { body, headers } = upstream!.requests[0]!;
    expect(body).toEqual({
      model: 'tiny',
      messages: [
        { role: 'system', content: 'Be brief.' },
        { role: 'user', content: 'hello', name: 'ann' },
        {
          role: 'assistant',
          content: null,
          tool_calls: [{ id: 'call_1', type: 'function', function: { name: 'add', arguments: '{"a":1}' } }],
        },
        { role: 'tool', content: '2', tool_call_id: 'call_1' },
      ],
      max_tokens: 77,
      tools: [
        {
          type: 'function',
          function: { name: 'find_invoice', description: 'Finds one.', parameters: { type: 'object' }, strict: true },
        },
        { type: 'function', function: { name: 'add' } },
      ],
      tool_choice: { type: 'function', function: { name: 'add' } },
      parallel_tool_calls: false,
      response_format: {
        type: 'json_schema',
        json_schema: { name: 'reply', schema: { type: 'object' }, strict: true },
      },
      temperature: 0,
      top_p: 0,
      stop: ['END'],
      seed: 0,
      presence_penalty: 0,
      frequency_penalty: -2,
    });
    expect(headers).toMatchObject({ 'content-type': 'application/json' });
    expect(headers.authorization).toBeUndefined();
  });

  it('contain no option that the caller did not set', async () => {
    const {
      upstreams: [upstream],
      model,
    } = await startChain();
    await model.complete(question('hello', { tools: [], toolChoice: 'auto', stop: [] }), patience);
    expect(upstream!.requests[0]!.body).toEqual({
      model: 'tiny',
      messages: [{ role: 'user', content: 'hello' }],
      max_tokens: 1000,
    });
  });
});

describe('answers of an upstream', () => {
  const call = (id: string | undefined, given: unknown = '{}') => ({
    ...(id !== undefined && { id }),
    name: 'add',
    arguments: given,
  });

  it('are read with their tool calls', async () => {
    expect(await answerTo({ text: 'Let me see.', toolCalls: [call('a', '{"a": 1}'), call('b')] })).toMatchObject({
      text: 'Let me see.',
      toolCalls: [
        { id: 'a', name: 'add', arguments: '{"a": 1}' },
        { id: 'b', name: 'add', arguments: '{}' },
      ],
      finishReason: 'tool_calls',
    });
  });

  it('get new ids for calls whose id is missing, repeated or too long', async () => {
    const { toolCalls } = await answerTo({
      toolCalls: [call(undefined), call('a'), call('a'), call(''), call('x'.repeat(300))],
    });
    expect(toolCalls.map(({ id }) => id)).toEqual(['made_up_1', 'a', 'made_up_2', 'made_up_3', 'made_up_4']);
  });

  it('have arguments as text, even when the upstream sent an object or nothing', async () => {
    const { toolCalls } = await answerTo({
      toolCalls: [call('a', { b: [1] }), call('c', undefined), call('d', null), call('e', ' ')],
    });
    expect(toolCalls.map((one) => one.arguments)).toEqual(['{"b":[1]}', '{}', '{}', '{}']);
  });

  it.each<readonly [string | undefined, string]>([
    ['stop', 'stop'],
    ['length', 'length'],
    ['content_filter', 'content_filter'],
    ['tool_calls', 'stop'],
    ['function_call', 'stop'],
    ['eos_token', 'stop'],
    ['', 'stop'],
  ])('with the finish reason "%s" and no call end with %s', async (finishReason, expected) => {
    expect((await answerTo({ text: 'x', finishReason: finishReason! })).finishReason).toBe(expected);
  });

  it.each(['stop', 'tool_calls', 'function_call', 'length'])(
    'with the finish reason "%s" and a whole call end with tool_calls',
    async (finishReason) => {
      expect(await answerTo({ toolCalls: [call('a')], finishReason })).toMatchObject({
        text: null,
        finishReason: 'tool_calls',
      });
    },
  );

  it('lose a call that was cut off', async () => {
    expect(await answerTo({ toolCalls: [call('a', '{"a": "b')], finishReason: 'length' })).toMatchObject({
      text: '',
      toolCalls: [],
      finishReason: 'length',
    });
    expect(await answerTo({ toolCalls: [call('a'), call('b', '{"a')], finishReason: 'length' })).toMatchObject({
      toolCalls: [{ id: 'a' }],
      finishReason: 'tool_calls',
    });
  });

  it('lose calls that the request did not allow', async () => {
    expect(await answerTo({ text: 'x', toolCalls: [call('a')] }, {})).toMatchObject({
      text: 'x',
      toolCalls: [],
      finishReason: 'stop',
    });
  });

  it('are charged by their lengths, and say so, when the upstream sent no valid count', async () => {
    const estimated = { inputTokens: 26, outputTokens: 100, isEstimated: true };
    const wrong = [
      { prompt_tokens: -1, completion_tokens: 5 },
      { prompt_tokens: 5, completion_tokens: -1 },
      { prompt_tokens: 1.5, completion_tokens: 5 },
      { prompt_tokens: '5', completion_tokens: 5 },
      { prompt_tokens: 5, completion_tokens: null },
      { prompt_tokens: 0, completion_tokens: 5 },
      { prompt_tokens: 1e30, completion_tokens: 5 },
    ];
    for (const usage of [null, ...wrong])
      expect((await answerTo({ text: 'x'.repeat(400), usage })).usage, JSON.stringify(usage)).toEqual(estimated);
    expect((await answerTo({ text: 'x', usage: { prompt_tokens: 7, completion_tokens: 0 } })).usage).toEqual({
      inputTokens: 7,
      outputTokens: 0,
    });
  });
});

describe('refusals of an upstream', () => {
  /**
   * Returns the code that callers get, or the outcome of the attempt if the fault lies with the server or its operator.
   */
  async function codeOf(behaviour: UpstreamStatus): Promise<string> {
    const {
      upstreams: [upstream],
      model,
      attempts,
    } = await startChain({ pausesMs: [] });
    upstream!.answer(behaviour);
    const error = await model.complete(question(), patience).catch((thrown: unknown) => thrown);
    if (!(error instanceof Refusal)) return attempts[0]!.slice(2);
    const said = JSON.stringify(behaviour.body);
    for (const word of error.message.split(' ').filter((one) => one.length > 12)) expect(said).not.toContain(word);
    return error.code;
  }

  it.each(Object.entries(upstreamErrors))(
    'are understood in the words of %s',
    async (_, { contextTooLong, badRequest }) => {
      expect(await codeOf(contextTooLong)).toBe('context_length_exceeded');
      expect(await codeOf(badRequest)).toBe('invalid_request');
    },
  );

  it('are understood in their rarer forms', async () => {
    expect(await codeOf(upstreamErrors.vllm.contextTooLongFlat)).toBe('context_length_exceeded');
    expect(await codeOf(upstreamErrors.llamaCpp.contextRanOut)).toBe('context_length_exceeded');
    expect(await codeOf({ status: 413, body: 'Request Entity Too Large' })).toBe('context_length_exceeded');
    expect(await codeOf(upstreamErrors.vllm.unprocessable)).toBe('invalid_request');
    expect(await codeOf({ status: 400, body: 'x'.repeat(200_000) })).toBe('invalid_request');
  });

  it('are distinguished from faults of the server and of its operator', async () => {
    expect(await codeOf(upstreamErrors.openai.wrongKey)).toBe('misconfigured');
    expect(await codeOf(upstreamErrors.openai.noSuchModel)).toBe('misconfigured');
    expect(await codeOf(upstreamErrors.ollama.noSuchModel)).toBe('misconfigured');
    expect(await codeOf({ status: 429, body: { error: { code: 'insufficient_quota' } } })).toBe('misconfigured');
    expect(await codeOf({ status: 302, headers: { Location: '/' } })).toBe('misconfigured');
    expect(await codeOf(upstreamErrors.openai.rateLimited)).toBe('busy');
    expect(await codeOf(upstreamErrors.llamaCpp.loading)).toBe('busy');
    expect(await codeOf(upstreamErrors.ollama.busy)).toBe('busy');
    expect(await codeOf({ status: 500, body: 'boom' })).toBe('broken');
  });
});
