import { describe, expect, it } from 'vitest';

import { firstSettings, mistakesOf, requestOf, toolsOf } from '#console/screens/chat/conversation.ts';
import { eventReader, hear, silence } from '#console/screens/chat/stream.ts';
import { sumsBy, tokensOfDays } from '#console/screens/chat/sums.ts';

describe('requestOf()', () => {
  it('leaves out what is empty', () => {
    expect(requestOf(firstSettings, [{ role: 'user', text: 'Hi', calls: [] }])).toEqual({
      messages: [{ role: 'user', content: 'Hi' }],
    });
  });

  it('has the settings, calls of tools and their results', () => {
    const call = { id: 'c1', type: 'function', function: { name: 'add', arguments: '{}' } } as const;
    const settings = {
      system: 'Be brief.',
      model: 'cubic',
      maxTokens: '5',
      temperature: '0.5',
      tools: '{"type":"function","function":{"name":"add"}}',
      stream: true,
    };
    expect(
      requestOf(settings, [
        { role: 'user', text: 'Hi', calls: [] },
        { role: 'assistant', text: '', calls: [call] },
        { role: 'tool', text: '3', calls: [], callId: 'c1' },
      ]),
    ).toEqual({
      model: 'cubic',
      messages: [
        { role: 'system', content: 'Be brief.' },
        { role: 'user', content: 'Hi' },
        { role: 'assistant', content: null, tool_calls: [call] },
        { role: 'tool', content: '3', tool_call_id: 'c1' },
      ],
      max_tokens: 5,
      temperature: 0.5,
      tools: [{ type: 'function', function: { name: 'add' } }],
      stream: true,
      stream_options: { include_usage: true },
    });
  });
});

it('mistakesOf() names the fields that the gateway would reject', () => {
  expect(mistakesOf(firstSettings)).toEqual({});
  expect(mistakesOf({ ...firstSettings, maxTokens: '0', temperature: '2.1', tools: '[1]' })).toEqual({
    maxTokens: true,
    temperature: true,
    tools: true,
  });
  expect(toolsOf('{')).toBeUndefined();
});

describe('a stream', () => {
  it('is cut into events, wherever its pieces end', () => {
    const read = eventReader();
    expect(read('data: {"a":')).toEqual([]);
    expect(read('1}\r\n\r\n: comment\n\ndata: x\nda')).toEqual(['{"a":1}']);
    expect(read('ta: y\n\n')).toEqual(['x\ny']);
  });

  it('adds up texts, calls of tools and the usage', () => {
    const usage = { prompt_tokens: 1, completion_tokens: 2, total_tokens: 3 };
    const chunks = [
      { choices: [{ delta: { content: 'He' } }] },
      {
        choices: [
          { delta: { content: 'llo', tool_calls: [{ index: 0, id: 'c', function: { name: 'add', arguments: '{' } }] } },
        ],
      },
      {
        choices: [{ delta: { tool_calls: [{ index: 0, function: { arguments: '}' } }] }, finish_reason: 'tool_calls' }],
      },
      { choices: [], usage },
    ];
    expect(chunks.reduce(hear, silence)).toEqual({
      text: 'Hello',
      calls: [{ id: 'c', type: 'function', function: { name: 'add', arguments: '{}' } }],
      finishReason: 'tool_calls',
      usage,
      error: undefined,
    });
  });
});

describe('usage of models', () => {
  const group = (day: string, key: string, model: string, tokens: number) => ({
    ...{ day, key_id: key, key_name: `Name of ${key}`, model },
    ...{ requests: 1, input_tokens: tokens, output_tokens: 1, spend: tokens + 4, cost: tokens / 4, cached_requests: 0 },
  });
  const groups = [
    group('2026-04-19', 'k1', 'm', 5),
    group('2026-04-21', 'k1', 'n', 1),
    group('2026-04-21', 'k2', 'm', 9),
  ];

  it('is added up by key, the most tokens first, and by day, the newest first', () => {
    expect(
      sumsBy('key', groups).map(({ id, name, requests, inputTokens }) => [id, name, requests, inputTokens]),
    ).toEqual([
      ['k2', 'Name of k2', 1, 9],
      ['k1', 'Name of k1', 2, 6],
    ]);
    expect(sumsBy('day', groups).map(({ id, spend, cost }) => [id, spend, cost])).toEqual([
      ['2026-04-21', 18, 2.5],
      ['2026-04-19', 9, 1.25],
    ]);
  });

  it('has 0 for days without any', () => {
    expect(tokensOfDays('2026-04-19', '2026-04-21', groups)).toEqual({
      days: ['2026-04-19', '2026-04-20', '2026-04-21'],
      tokens: [6, 0, 12],
    });
  });
});
