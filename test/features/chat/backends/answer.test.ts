import { readFileSync } from 'node:fs';

import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';

import { longestCallId, mostCalls, readAnswer } from '#server/features/chat/backends/answer.ts';
import type { ChatAnswer, ChatMessage, ChatTurn } from '#server/features/chat/conversation/conversation.ts';
import { question } from '#test/support/chat-model.ts';

const tools = [{ name: 'find_invoice' }, { name: 'add' }] as const;
const usage = { prompt_tokens: 1, completion_tokens: 1 };

/** Reads a message of the upstream as the answer to a turn with tools. */
function read(message: unknown, rest: object = {}, turn: Partial<ChatTurn> = {}) {
  let calls = 0;
  return readAnswer(
    { choices: [{ message, ...rest }], usage },
    question('hello', { tools, ...turn }),
    () => `made_up_${++calls}`,
  );
}

function answered(...given: Parameters<typeof read>): ChatAnswer {
  const answer = read(...given);
  if (answer === undefined || answer === 'empty') throw new Error(`No answer, but ${answer}.`);
  return answer;
}

const call = (name: string, id?: string) => ({
  ...(id !== undefined && { id }),
  type: 'function',
  function: { name, arguments: '{}' },
});

describe('readAnswer()', () => {
  it('finds text in parts, and reasoning beside it', () => {
    expect(
      answered({ content: [{ type: 'text', text: 'a' }, { type: 'image_url' }, { type: 'text', text: 'b' }, 7] }).text,
    ).toBe('ab');
    expect(
      answered({
        content: [
          { type: 'thinking', thinking: [] },
          { type: 'output_text', text: 'a' },
        ],
      }).text,
    ).toBe('a');
    for (const thought of ['reasoning_content', 'reasoning', 'thinking']) {
      expect(read({ content: 'a', [thought]: 'hm' }), thought).toEqual({
        text: 'a',
        toolCalls: [],
        finishReason: 'stop',
        usage: { inputTokens: 1, outputTokens: 1 },
        ...(thought !== 'thinking' && { reasoning: { field: thought, text: 'hm' } }),
      });
      expect(read({ content: null, [thought]: 'hm' }), thought).toBe('empty');
    }
  });

  it('returns a refusal of the model as its text', () => {
    expect(read({ content: null, refusal: 'I will not.' })).toMatchObject({
      text: 'I will not.',
      finishReason: 'stop',
    });
    expect(answered({ content: '', refusal: 'I will not.' }).text).toBe('I will not.');
    expect(answered({ content: [{ type: 'refusal', refusal: 'I will not.' }] }).text).toBe('I will not.');
    expect(answered({ content: 'Yes.', refusal: null }).text).toBe('Yes.');
  });

  it('returns an empty text when the model reached its length limit or was stopped', () => {
    expect(read({ content: null }, { finish_reason: 'length' })).toMatchObject({ text: '', finishReason: 'length' });
    expect(read({ content: null }, { finish_reason: 'content_filter' })).toMatchObject({
      text: '',
      finishReason: 'content_filter',
    });
  });

  it.each<[string, unknown, object?]>([
    ['a message that is a text', 'hello'],
    ['no message', null],
    ['an error as the finish reason', { content: 'Once up' }, { finish_reason: 'error' }],
  ])('returns undefined for %s', (_, message, rest) => {
    expect(read(message, rest)).toBeUndefined();
  });

  it.each<[string, unknown, object?]>([
    ['an empty message', {}],
    ['a message with null content', { content: null }, { finish_reason: 'stop' }],
    ['an empty text', { content: '' }, { finish_reason: 'stop' }],
    ['an empty text without an end', { content: '' }],
    ['an empty text and no calls', { content: '', tool_calls: [] }, { finish_reason: 'stop' }],
    ['a number as the text', { content: 7 }],
    ['no parts', { content: [] }],
    ['parts with an empty text', { content: [{ type: 'text', text: '' }] }],
    ['parts of another kind', { content: [{ type: 'image_url', image_url: {} }] }],
  ])('returns "empty" for %s', (_, message, rest) => {
    expect(read(message, rest)).toBe('empty');
  });

  it('drops calls that cannot be passed on, and keeps the rest', () => {
    const odd = [{ function: {} }, call('a b'), call('functions.add'), call('delete_everything', 'x'), 7, null];
    expect(read({ content: 'Let me see.', tool_calls: [...odd, call('add', 'a')] })).toMatchObject({
      text: 'Let me see.',
      toolCalls: [{ id: 'a', name: 'add' }],
      finishReason: 'tool_calls',
    });
    expect(read({ content: 'Let me see.', tool_calls: odd }, { finish_reason: 'tool_calls' })).toMatchObject({
      text: 'Let me see.',
      toolCalls: [],
      finishReason: 'stop',
    });
    expect(read({ content: null, tool_calls: odd })).toBe('empty');
  });

  it('drops calls when none are allowed', () => {
    for (const turn of [{ toolChoice: 'none' }, { tools: [] }, { tools: undefined }] as const) {
      expect(read({ content: 'x', tool_calls: [call('add')] }, {}, turn as Partial<ChatTurn>)).toMatchObject({
        text: 'x',
        toolCalls: [],
        finishReason: 'stop',
      });
    }
  });

  it('gives a call a new id when an earlier message has its id, because some servers restart their numbering', () => {
    const messages: ChatMessage[] = [
      { role: 'user', content: 'add twice' },
      {
        role: 'assistant',
        content: null,
        toolCalls: [
          { id: 'call_0', name: 'add', arguments: '{}' },
          { id: 'made_up_1', name: 'add', arguments: '{}' },
        ],
      },
      { role: 'tool', content: '1', toolCallId: 'call_0' },
      { role: 'tool', content: '2', toolCallId: 'made_up_1' },
    ];
    const answer = answered(
      { content: null, tool_calls: [call('add', 'call_0'), call('add', 'call_1'), call('add')] },
      {},
      { messages },
    );
    expect(answer.toolCalls.map(({ id }) => id)).toEqual(['made_up_2', 'call_1', 'made_up_3']);
  });

  it('reads a call in the older function_call form', () => {
    expect(
      read({ content: null, function_call: { name: 'add', arguments: '{"a":1}' } }, { finish_reason: 'function_call' }),
    ).toMatchObject({
      toolCalls: [{ id: 'made_up_1', name: 'add', arguments: '{"a":1}' }],
      finishReason: 'tool_calls',
    });
  });

  it('keeps to the limits of a request, so that the answer can be sent back', () => {
    const schema = (name: string) =>
      parse(readFileSync(`openapi/schemas/chat/${name}.yaml`, 'utf8')) as {
        properties: Record<string, { maxItems?: number; maxLength?: number }>;
      };
    expect(mostCalls).toBe(schema('ChatMessage').properties.tool_calls!.maxItems);
    expect(longestCallId).toBe(schema('ChatToolCall').properties.id!.maxLength);
    const calls = [...Array(200).keys()].map((at) => call('add', `${at}`.padStart(at === 0 ? 256 : 257, 'x')));
    const { toolCalls } = answered({ content: null, tool_calls: calls });
    expect(toolCalls).toHaveLength(128);
    expect(toolCalls[0]!.id).toHaveLength(256);
    expect(toolCalls[1]!.id).toBe('made_up_1');
  });
});
