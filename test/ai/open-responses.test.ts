import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, it } from 'vitest';

import type { UpstreamMessage } from '#mocks/chat-upstream-answers.ts';
import { contract } from '#test/support/contract.ts';
import { startChatServer } from '#test/support/chat.ts';
import { eventsOf, respond } from '#test/support/responses.ts';

/** One row of the table: a request of the document, and what its answer must have. */
interface Row {
  readonly request: Readonly<Record<string, unknown>>;
  readonly upstream: UpstreamMessage;
  /** The messages that the model gets. */
  readonly asked: readonly object[];
  /** Types of the items of the answer. */
  readonly output: readonly string[];
}

const user = (content: string) => ({ type: 'message', role: 'user', content });
const weather = {
  type: 'function',
  name: 'get_weather',
  description: 'Tells the weather of a place',
  parameters: { type: 'object', properties: { place: { type: 'string' } }, required: ['place'] },
};
const calls: UpstreamMessage = { toolCalls: [{ id: 'call_7', name: 'get_weather', arguments: '{"place":"Lima"}' }] };
const says: UpstreamMessage = { text: 'Good morning, Ana.' };

const table: Readonly<Record<string, Row>> = {
  'a message': {
    request: { input: [user('Greet me.')] },
    upstream: says,
    asked: [{ role: 'user', content: 'Greet me.' }],
    output: ['message'],
  },
  'a text as input': {
    request: { input: 'Greet me.' },
    upstream: says,
    asked: [{ role: 'user', content: 'Greet me.' }],
    output: ['message'],
  },
  'a system message': {
    request: { input: [{ type: 'message', role: 'system', content: 'Be brief.' }, user('Greet me.')] },
    upstream: says,
    asked: [
      { role: 'system', content: 'Be brief.' },
      { role: 'user', content: 'Greet me.' },
    ],
    output: ['message'],
  },
  instructions: {
    request: { input: 'Greet me.', instructions: 'Be brief.' },
    upstream: says,
    asked: [
      { role: 'system', content: 'Be brief.' },
      { role: 'user', content: 'Greet me.' },
    ],
    output: ['message'],
  },
  'a call of a function': {
    request: { input: [user('What is the weather in Lima?')], tools: [weather] },
    upstream: calls,
    asked: [{ role: 'user', content: 'What is the weather in Lima?' }],
    output: ['function_call'],
  },
  'a text and a call': {
    request: { input: [user('What is the weather in Lima?')], tools: [weather] },
    upstream: { ...calls, text: 'I look it up.' },
    asked: [{ role: 'user', content: 'What is the weather in Lima?' }],
    output: ['message', 'function_call'],
  },
  'several turns': {
    request: {
      input: [
        user('I am Ana.'),
        { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'Hello.', annotations: [] }] },
        user('Greet me.'),
      ],
    },
    upstream: says,
    asked: [
      { role: 'user', content: 'I am Ana.' },
      { role: 'assistant', content: 'Hello.' },
      { role: 'user', content: 'Greet me.' },
    ],
    output: ['message'],
  },
  'the outputs of calls, with reasoning between them': {
    request: {
      input: [
        user('Lima and Quito?'),
        { type: 'reasoning', id: 'rs_1', summary: [] },
        { type: 'message', role: 'assistant', content: 'I look.' },
        { type: 'function_call', id: 'fc_1', call_id: 'a', name: 'get_weather', arguments: '{"place":"Lima"}' },
        {
          type: 'function_call',
          call_id: 'b',
          name: 'get_weather',
          arguments: '{"place":"Quito"}',
          status: 'completed',
        },
        { type: 'function_call_output', call_id: 'b', output: [{ type: 'input_text', text: 'rain' }] },
        { type: 'function_call_output', call_id: 'a', output: 'sun' },
      ],
      tools: [weather],
    },
    upstream: says,
    asked: [
      { role: 'user', content: 'Lima and Quito?' },
      {
        role: 'assistant',
        content: 'I look.',
        tool_calls: [
          { id: 'a', type: 'function', function: { name: 'get_weather', arguments: '{"place":"Lima"}' } },
          { id: 'b', type: 'function', function: { name: 'get_weather', arguments: '{"place":"Quito"}' } },
        ],
      },
      { role: 'tool', tool_call_id: 'b', content: 'rain' },
      { role: 'tool', tool_call_id: 'a', content: 'sun' },
    ],
    output: ['message'],
  },
};

const isAnswer = new Ajv2020({ strict: false, validateFormats: false })
  .addSchema(contract, 'contract')
  .compile({ $ref: 'contract#/components/schemas/ResponsesAnswer' });

/** Checks what the document says about the order of events, and that they add up to the answer. */
function expectEvents(events: readonly any[]): void {
  expect(events.at(-1)).toBe('[DONE]');
  const typed = events.slice(0, -1);
  expect(typed.map(({ sequence_number }) => sequence_number)).toEqual(typed.map((_, index) => index));
  expect(typed.slice(0, 2).map(({ type }) => type)).toEqual(['response.created', 'response.in_progress']);
  expect(typed[0].response).toMatchObject({ status: 'in_progress', output: [], usage: null });
  const { type, response } = typed.at(-1);
  expect(type).toBe(`response.${response.status}`);
  for (const [place, item] of response.output.entries()) {
    const own = typed.filter((event) => event.output_index === place);
    expect(own[0]).toMatchObject({ type: 'response.output_item.added', item: { id: item.id, status: 'in_progress' } });
    expect(own.at(-1)).toMatchObject({ type: 'response.output_item.done', item });
    expect(new Set(own.map((event) => event.item_id ?? event.item.id))).toEqual(new Set([item.id]));
    const [delta, done, parts] =
      item.type === 'message'
        ? ['output_text.delta', 'output_text.done', ['content_part.added', 'output_text.done', 'content_part.done']]
        : ['function_call_arguments.delta', 'function_call_arguments.done', ['function_call_arguments.done']];
    const whole = item.type === 'message' ? item.content[0].text : item.arguments;
    const pieces = own.filter((event) => event.type === `response.${delta}`);
    expect(pieces.map((event) => event.delta).join('')).toBe(whole);
    expect(own.find((event) => event.type === `response.${done}`)).toMatchObject({
      [item.type === 'message' ? 'text' : 'arguments']: whole,
    });
    const others = own.slice(1, -1).filter((event) => !pieces.includes(event));
    expect(others.map((event) => event.type)).toEqual(parts.map((part) => `response.${part}`));
  }
}

describe.each(Object.entries(table))('Open Responses: %s', (_, { request, upstream: behaviour, asked, output }) => {
  it.each([false, true])('with stream: %s', async (stream) => {
    const { server, upstream } = await startChatServer();
    const { credential } = await server.account('pro');
    upstream.answer(behaviour);
    const answer = await respond(server, credential, { model: 'cubic', ...request, stream });
    expect([answer.status, upstream.requests[0]?.body.messages]).toEqual([200, asked]);
    const events = stream ? eventsOf(answer) : [];
    if (stream) expectEvents(events);
    const response = stream ? events.at(-2).response : answer.json();
    expect(isAnswer(response), JSON.stringify(isAnswer.errors)).toBe(true);
    expect(response).toMatchObject({ status: 'completed', error: null, incomplete_details: null, model: 'cubic' });
    expect(response.output.map(({ type }: any) => type)).toEqual(output);
    expect(response.usage).toEqual({
      input_tokens: 12,
      input_tokens_details: { cached_tokens: 0 },
      output_tokens: 5,
      output_tokens_details: { reasoning_tokens: 0 },
      total_tokens: 17,
    });
  });
});
