import { chunkOf, type UpstreamMessage } from '#mocks/chat-upstream-answers.ts';
import { upstreamErrors } from '#mocks/chat-upstream-errors.ts';
import type { UpstreamBehaviour } from '#mocks/chat-upstream.ts';
import { Random } from '#test/fuzz/random.ts';
import { startChatServer } from '#test/support/chat.ts';

/** What the gateway's model answers. */
function behaviourOf(random: Random): UpstreamBehaviour {
  if (random.chance(0.05)) return random.pick(Object.values(upstreamErrors.openai));
  const message: UpstreamMessage = {
    text: random.pick([undefined, 'A mark.', '{"month":"May"}', 'An ETag 😀 names a version. '.repeat(12)]) ?? null,
    ...random.pick([{}, { usage: null }, { usage: counted }, { usage: { ...counted, ...parts } }]),
  };
  const named = ['find', 'store', 'find'].slice(0, random.below(4));
  const toolCalls = named.map((name, at) => ({ id: `call_${at}`, name, arguments: `{"at":${at}}` }));
  const finishReason = random.pick([undefined, undefined, 'length', 'content_filter']);
  if (random.chance(0.05)) return { pieces: [chunkOf({ content: 'A mark. '.repeat(50) })], atEnd: 'hang-up' };
  return {
    ...message,
    ...(toolCalls.length > 0 && { toolCalls }),
    ...(toolCalls.length === 0 && message.text === null && { text: 'It is a mark: https://example.com/etag' }),
    ...(finishReason !== undefined && { finishReason }),
    ...(random.chance(0.3) && { reasoning: 'The question is about HTTP.' }),
  };
}

const counted = { prompt_tokens: 120, completion_tokens: 50, total_tokens: 170 };
const parts = {
  prompt_tokens_details: { cached_tokens: 96 },
  completion_tokens_details: { reasoning_tokens: 40 },
};

const question = [{ role: 'user', content: 'What is an ETag?' }];
const schema = { type: 'object', properties: { month: { type: 'string' } }, required: ['month'] };
const functions = [{ name: 'find', description: 'Finds.' }, { name: 'store' }];
const sampling = { temperature: 0.5, top_p: 0.9 };

/** The protocols: the least body of a request, and fields that some requests have beside it. */
export const protocols = [
  {
    path: 'chat/completions',
    body: { messages: question },
    further: [
      { tools: functions.map((one) => ({ type: 'function', function: one })) },
      { stream_options: { include_usage: true } },
      { response_format: { type: 'json_schema', json_schema: { name: 'output', schema } } },
      { ...sampling, stop: ['END'], seed: 7 },
      { temperature: 9 },
    ],
  },
  {
    path: 'responses',
    body: { input: 'What is an ETag?' },
    further: [
      { tools: functions.map((one) => ({ type: 'function', ...one })), tool_choice: 'auto' },
      { tools: [{ type: 'function', ...functions[0] }], tool_choice: { type: 'function', name: 'find' } },
      { text: { format: { type: 'json_schema', name: 'output', schema } }, instructions: 'Be brief.' },
      { ...sampling, max_output_tokens: 100, metadata: { of: 'test' } },
      { reasoning: { effort: 'low' }, parallel_tool_calls: false, truncation: 'disabled' },
      { include: ['reasoning.encrypted_content'] },
      { temperature: 9 },
    ],
  },
  {
    path: 'messages',
    body: { messages: question, max_tokens: 100 },
    further: [
      { tools: functions.map((one) => ({ ...one, input_schema: schema })) },
      { output_config: { format: { type: 'json_schema', schema } }, system: 'Be brief.' },
      { ...sampling, stop_sequences: ['END'], metadata: { user_id: 'test' } },
      { thinking: { type: 'enabled', budget_tokens: 1024 } },
      { temperature: 9 },
    ],
  },
] as const;

/** An answer as it came over the wire. */
interface RecordedAnswer {
  readonly status: number;
  readonly type: string;
  readonly text: string;
  /** Whether a stream was requested. */
  readonly isStreamed: boolean;
}

/** Returns the gateway's answers to requests with random fields, to which its model gives random answers. */
export async function* answersOf(
  { path, body, further }: (typeof protocols)[number],
  count: number,
): AsyncGenerator<RecordedAnswer, void> {
  const { server, upstream } = await startChatServer({ search: true, env: { CUBBY_AI: 'open' } });
  const { credential } = await server.account('enterprise');
  for (let at = 0; at < count; at++) {
    const random = Random.of(36, path.length, at);
    upstream.answer(behaviourOf(random), { text: 'A mark.' });
    const isStreamed = at % 2 === 1;
    const fields = Object.assign({}, body, ...further.filter(() => random.chance(0.15)));
    const sent = JSON.stringify({ ...fields, stream: isStreamed });
    const answer = await server.send(`/v2/ai/${path}`, { method: 'POST', credential, body: sent });
    const type = answer.headers.get('content-type')!;
    yield { status: answer.status, type, text: answer.body.toString(), isStreamed };
  }
}
