import type Anthropic from '@anthropic-ai/sdk';
import type OpenAI from 'openai';
import { describe, expect, it } from 'vitest';

import { chunkOf, type UpstreamMessage } from '#mocks/chat-upstream-answers.ts';
import type { UpstreamBehaviour } from '#mocks/chat-upstream.ts';
import { startChatServer } from '#test/support/chat.ts';

/**
 * The fields that are always there and may be null. Clients reject null in all others, even if their types allow it.
 */
type Nullable<T> = { [K in keyof T]-?: undefined extends T[K] ? never : null extends T[K] ? K : never }[keyof T];

type Response = OpenAI.Responses.Response;
/** Fields that the client may miss, but that the document Open Responses requires, as null if they are not set. */
type Documented =
  | 'completed_at'
  | 'previous_response_id'
  | 'usage'
  | 'max_output_tokens'
  | 'max_tool_calls'
  | 'safety_identifier'
  | 'prompt_cache_key';

const ofResponse: ReadonlyArray<Nullable<Response> | (Documented & keyof Response)> = [
  'completed_at',
  'error',
  'incomplete_details',
  'instructions',
  'max_output_tokens',
  'max_tool_calls',
  'previous_response_id',
  'prompt_cache_key',
  'safety_identifier',
];
const ofReasoning: ReadonlyArray<keyof OpenAI.Reasoning> = ['effort', 'summary'];
const ofTool: ReadonlyArray<Nullable<OpenAI.Responses.FunctionTool> | 'description'> = [
  'description',
  'parameters',
  'strict',
];
const ofChat: ReadonlyArray<Nullable<OpenAI.ChatCompletionMessage>> = ['content'];
const ofChunk: ReadonlyArray<Nullable<OpenAI.ChatCompletionChunk.Choice>> = ['finish_reason'];
const ofMessage: ReadonlyArray<Nullable<Anthropic.Message>> = ['stop_reason', 'stop_sequence'];
const ofDelta: ReadonlyArray<Nullable<Anthropic.RawMessageDeltaEvent.Delta>> = ['stop_sequence'];
const ofError = ['param'];

const within = (place: string, fields: readonly string[]) => fields.map((field) => `${place}.${field}`);
const begun = [
  ...within('response', [...ofResponse, 'usage']),
  ...within('response.reasoning', ofReasoning),
  ...within('response.tools', ofTool),
];

/** The only nulls of each kind of answer and event. */
const nulls: Readonly<Record<string, readonly string[]>> = {
  'chat.completion': within('choices.message', ofChat),
  'chat.completion.chunk': within('choices', ofChunk),
  message: ['stop_sequence'],
  message_start: within('message', ofMessage),
  message_delta: within('delta', ofDelta),
  response: [
    ...ofResponse.filter((field) => field !== 'completed_at'),
    ...within('reasoning', ofReasoning),
    ...within('tools', ofTool),
  ],
  'response.created': begun,
  'response.in_progress': begun,
  'response.completed': begun.filter((place) => !/completed_at|usage/.test(place)),
  'response.failed': begun.filter((place) => place !== 'response.error'),
  'an error': within('error', ofError),
};

function nullsIn(value: unknown, place = ''): string[] {
  if (value === null) return [place];
  if (Array.isArray(value)) return value.flatMap((each) => nullsIn(each, place));
  if (typeof value !== 'object') return [];
  return Object.entries(value).flatMap(([name, each]) => nullsIn(each, place === '' ? name : `${place}.${name}`));
}

const call: UpstreamMessage = { toolCalls: [{ id: 'call_9', name: 'find', arguments: '{}' }] };
const search: UpstreamMessage = { toolCalls: [{ id: 's1', name: 'web_search', arguments: '{"query":"etag"}' }] };
const cites: UpstreamMessage = { text: 'It is a mark: https://example.com/etag' };
/** Long enough not to be held back until it is clear that no search follows. */
const breaksOff = { pieces: [chunkOf({ content: 'A mark. '.repeat(50) })], pauseMs: 5, atEnd: 'hang-up' as const };
const answers: ReadonlyArray<readonly [UpstreamBehaviour, ...UpstreamBehaviour[]]> = [
  [{ text: 'A mark.' }],
  [call],
  [{ ...call, text: 'I look.' }],
  [search, cites],
  [({ body }) => (body.stream === true ? breaksOff : { status: 400 })],
];

const messages = [{ role: 'user', content: 'What is an ETag?' }];
const ofFunction = { name: 'find' };
const forms = [
  [
    'chat/completions',
    { messages, tools: [{ type: 'function', function: ofFunction }], stream_options: { include_usage: true } },
  ],
  ['messages', { messages, tools: [ofFunction], max_tokens: 100 }],
  ['responses', { input: 'What is an ETag?', tools: [{ type: 'function', ...ofFunction }] }],
] as const;

describe('an answer of the AI gateway', () => {
  it('is null only in fields that are required and may be null, in all forms, whole and streamed', async () => {
    const { server, upstream } = await startChatServer({ search: true, env: { CUBBY_AI_STREAMING: 'on' } });
    const { credential } = await server.account('enterprise');
    const seen = new Map<string, Set<string>>();
    const see = (kind: string, value: unknown) => {
      const places = seen.get(kind) ?? new Set();
      seen.set(kind, places);
      for (const place of nullsIn(value)) places.add(place);
    };
    for (const [form, body] of forms)
      for (const stream of [false, true])
        for (const answer of answers) {
          upstream.answer(...answer);
          const sent = JSON.stringify({ ...body, stream });
          const { body: bytes } = await server.send(`/v2/ai/${form}`, { method: 'POST', credential, body: sent });
          const text = bytes.toString();
          const values = text.startsWith('{')
            ? [text]
            : [...text.matchAll(/^data: (\{.*)$/gm)].map(([, data]) => data!);
          for (const value of values.map((data) => JSON.parse(data) as any))
            see(value.error && !value.object ? 'an error' : (value.type ?? value.object), value);
        }
    const found = [...seen].filter(([, places]) => places.size > 0);
    const listed = (all: Iterable<readonly [string, Iterable<string>]>) =>
      Object.fromEntries([...all].map(([kind, places]) => [kind, [...places].toSorted()]));
    expect(listed(found)).toEqual(listed(Object.entries(nulls)));
  });
});
