import { Ajv2020 } from 'ajv/dist/2020.js';
import ajvFormats from 'ajv-formats';
import { describe, expect, it } from 'vitest';

import { developmentResponder, label } from '#server/features/chat/backends/development-responder.ts';
import { sampleValue } from '#server/features/chat/backends/sample-value.ts';
import type { ChatMessage, ChatTurn } from '#server/features/chat/conversation/conversation.ts';
import { patience, question } from '#test/support/chat-model.ts';

const answer = (turn: ChatTurn) => developmentResponder().complete(turn, patience);

const parameters = {
  type: 'object',
  properties: { city: { type: 'string' }, days: { type: 'integer', minimum: 3 }, note: { type: 'string' } },
  required: ['city', 'days'],
};
const tools = [{ name: 'get_weather', parameters }, { name: 'get' }, { name: 'add', parameters: {} }];

describe('developmentResponder()', () => {
  it('names itself, repeats the message, and returns the same answer each time', async () => {
    const first = await answer(question('hello'));
    expect(first).toMatchObject({
      text: expect.stringMatching(/^\[development responder\] .*"hello"/),
      toolCalls: [],
      finishReason: 'stop',
    });
    expect(first.usage).toEqual({ inputTokens: 2, outputTokens: Math.ceil(first.text!.length / 4) });
    expect(await answer(question('hello'))).toEqual(first);
    expect(developmentResponder().isDevelopmentResponder).toBe(true);
    expect((await answer(question('é'.repeat(10_000)))).text!.length).toBeLessThan(1000);
  });

  it('stops at maxOutputTokens, between characters', async () => {
    for (const maxOutputTokens of [1, 7, 30]) {
      const { text, finishReason, usage } = await answer(question('日本語のテキスト'.repeat(20), { maxOutputTokens }));
      expect(finishReason).toBe('length');
      expect(usage.outputTokens).toBeLessThanOrEqual(maxOutputTokens);
      expect(text).not.toContain('\ufffd');
      expect(text!.length).toBeGreaterThan(0);
    }
  });

  it('stops before the first stop text', async () => {
    const { text, finishReason } = await answer(question('hello', { stop: ['set up', '', 'model'] }));
    expect({ text, finishReason }).toEqual({ text: `${label} This server has no `, finishReason: 'stop' });
  });

  it('calls the functions that the last message names, with arguments that match their schemas', async () => {
    const { text, toolCalls, finishReason } = await answer(question('Please get_weather now.', { tools }));
    expect({ text, toolCalls, finishReason }).toEqual({
      text: null,
      toolCalls: [{ id: 'call_1', name: 'get_weather', arguments: '{"city":"city","days":3}' }],
      finishReason: 'tool_calls',
    });
    expect((await answer(question('add, then get', { tools }))).toolCalls.map(({ name }) => name)).toEqual([
      'get',
      'add',
    ]);
    expect((await answer(question('add, then get', { tools, parallelToolCalls: false }))).toolCalls).toHaveLength(1);
    expect((await answer(question('forget it', { tools }))).finishReason).toBe('stop');
  });

  it('follows toolChoice', async () => {
    const namesOf = async (turn: Partial<ChatTurn>) =>
      (await answer(question('get it', { tools, ...turn }))).toolCalls.map(({ name }) => name);
    expect(await namesOf({ toolChoice: 'auto' })).toEqual(['get']);
    expect(await namesOf({ toolChoice: 'none' })).toEqual([]);
    expect(await namesOf({ toolChoice: 'required' })).toEqual(['get']);
    expect(await namesOf({ toolChoice: { name: 'add' } })).toEqual(['add']);
    expect((await answer(question('hello', { tools, toolChoice: 'required' }))).toolCalls).toMatchObject([
      { name: 'get_weather' },
    ]);
    expect(await answer(question('hello', { tools, toolChoice: 'required', maxOutputTokens: 2 }))).toMatchObject({
      text: '',
      toolCalls: [],
      finishReason: 'length',
    });
  });

  it('repeats the results of functions, and gives its next calls unused ids', async () => {
    const messages: ChatMessage[] = [
      { role: 'user', content: 'get_weather' },
      {
        role: 'assistant',
        content: null,
        toolCalls: [
          { id: 'call_1', name: 'get_weather', arguments: '{}' },
          { id: 'call_3', name: 'get', arguments: '{}' },
        ],
      },
      { role: 'tool', content: 'sunny', toolCallId: 'call_1' },
      { role: 'tool', content: '21 degrees', toolCallId: 'call_3' },
    ];
    const { text, toolCalls } = await answer(question('', { messages, tools }));
    expect(text).toContain('"sunny" and "21 degrees"');
    expect(toolCalls).toEqual([]);
    const again = await answer(
      question('', {
        messages: [...messages, { role: 'assistant', content: text }, { role: 'user', content: 'get, add' }],
        tools,
      }),
    );
    expect(again.toolCalls.map(({ id }) => id)).toEqual(['call_2', 'call_4']);
  });

  it('returns JSON when the request asks for JSON', async () => {
    const { text } = await answer(question('hello', { responseFormat: { type: 'json_object' } }));
    expect(JSON.parse(text!)).toEqual({ reply: expect.stringContaining(label) });
    const schema = { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] };
    expect(
      (await answer(question('hello', { responseFormat: { type: 'json_schema', name: 'reply', schema } }))).text,
    ).toBe('{"name":"name"}');
    expect((await answer(question('hello', { responseFormat: { type: 'text' } }))).text).toContain(label);
  });
});

describe('sampleValue()', () => {
  const schemas: Record<string, object> = {
    'an object': {
      type: 'object',
      properties: { a: { type: 'object', properties: { b: { enum: [2, 3] } }, required: ['b'] } },
      required: ['a', 'unknown'],
      additionalProperties: true,
    },
    'a list': { type: 'array', minItems: 2, items: { type: ['null', 'boolean'] } },
    'a number': { type: 'number', exclusiveMinimum: 3, maximum: 10 },
    'a small number': { type: 'number', maximum: -5 },
    texts: {
      type: 'object',
      properties: {
        at: { type: 'string', format: 'date-time' },
        long: { type: 'string', minLength: 20 },
        short: { type: 'string', maxLength: 2 },
      },
      required: ['at', 'long', 'short'],
    },
    'a choice': { anyOf: [{ const: 7 }, { type: 'string' }] },
    'a reference': {
      type: 'object',
      properties: { a: { $ref: '#/$defs/A' } },
      required: ['a'],
      $defs: { A: { type: 'array', minItems: 1, items: { $ref: '#/$defs/B' } }, B: { type: 'integer' } },
    },
    parts: {
      allOf: [
        { type: 'object', properties: { a: { type: 'string' } }, required: ['a'] },
        { properties: { b: { type: 'integer' } }, required: ['b'] },
      ],
    },
    nothing: {},
  };
  it.each(Object.entries(schemas))('returns a value that matches a schema of %s', (_, schema) => {
    const ajv = new Ajv2020({ strict: false });
    ajvFormats.default(ajv);
    const value = sampleValue(schema, 'sample');
    expect(ajv.validate(schema, value), JSON.stringify({ value, errors: ajv.errors })).toBe(true);
  });

  it('returns a small value for an endless schema, and does not throw for an invalid one', () => {
    const everything = Object.fromEntries(Array.from({ length: 30 }, (_, at) => [`p${at}`, { $ref: '#' }]));
    const schema = { type: 'object', properties: everything, required: Object.keys(everything) };
    expect(JSON.stringify(sampleValue(schema, 'x')).length).toBeLessThan(100_000);
    const wide = {
      type: 'array',
      minItems: 10,
      items: { type: 'object', required: Array.from({ length: 100_000 }, (_, at) => `p${at}`) },
    };
    expect(JSON.stringify(sampleValue(wide, 'x')).length).toBeLessThan(100_000);
    expect(sampleValue({ $ref: '#' }, 'x')).toBeNull();
    expect(sampleValue({ type: 'array', minItems: 1e9, items: { type: 'string', minLength: 1e9 } }, 'x')).toHaveLength(
      10,
    );
    for (const format of ['constructor', '__proto__', 'toString'])
      expect(sampleValue({ type: 'string', format }, 'x')).toBe('x');
    for (const odd of [
      null,
      7,
      [],
      { type: 7, required: 'a', properties: [], enum: {}, anyOf: [], $ref: '#/constructor/__proto__' },
    ])
      expect(() => sampleValue(odd, 'x')).not.toThrow();
  });
});
