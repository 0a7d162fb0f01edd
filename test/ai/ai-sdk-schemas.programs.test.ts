import { createAnthropic } from '@ai-sdk/anthropic';
import { createOpenAI } from '@ai-sdk/openai';
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { expect, it } from 'vitest';

import { describeWith } from '#test/support/describe-with.ts';
import { answersOf, protocols } from './random-answers.ts';

const describe = describeWith('@ai-sdk/anthropic', '@ai-sdk/openai', '@ai-sdk/openai-compatible');

/** How many answers of each protocol each provider reads. */
const answersOfEach = 200;

/** Where a provider finds an answer in place of the gateway. */
interface Recorded {
  readonly baseURL: string;
  readonly apiKey: string;
  readonly fetch: typeof fetch;
}

const readers = [
  [
    '@ai-sdk/openai-compatible',
    'chat/completions',
    (at: Recorded) => createOpenAICompatible({ name: 'cubby', ...at })('cubic'),
  ],
  ['@ai-sdk/openai .chat()', 'chat/completions', (at: Recorded) => createOpenAI(at).chat('cubic')],
  ['@ai-sdk/openai', 'responses', (at: Recorded) => createOpenAI(at)('cubic')],
  ['@ai-sdk/anthropic', 'messages', (at: Recorded) => createAnthropic(at)('cubic')],
] as const;

const options = { prompt: [{ role: 'user' as const, content: [{ type: 'text' as const, text: 'What is an ETag?' }] }] };

/** What a provider has read of an answer: its parts, and the error in its place or behind them. */
interface Read {
  readonly texts: string;
  readonly calls: number;
  readonly error: unknown;
}

type Model = ReturnType<(typeof readers)[number][2]>;

async function readWhole(model: Model): Promise<Read> {
  try {
    const { content } = await model.doGenerate(options);
    const texts = content.map((part) => (part.type === 'text' ? part.text : '')).join('');
    return { texts, calls: content.filter(({ type }) => type === 'tool-call').length, error: undefined };
  } catch (error) {
    return { texts: '', calls: 0, error };
  }
}

async function readStream(model: Model): Promise<Read> {
  let [texts, calls, error] = ['', 0, undefined as unknown];
  try {
    const { stream } = await model.doStream(options);
    for await (const part of stream as unknown as AsyncIterable<any>) {
      if (part.type === 'text-delta') texts += part.delta;
      if (part.type === 'tool-call') calls++;
      if (part.type === 'error') error ??= part.error;
    }
  } catch (thrown) {
    error = thrown;
  }
  return { texts, calls, error };
}

/** Returns what an answer of the gateway says, from its JSON alone. */
function said(text: string): Omit<Read, 'error'> & { readonly isError: boolean } {
  const isWhole = text.startsWith('{');
  const values: any[] = isWhole
    ? [JSON.parse(text)]
    : [...text.matchAll(/^data: (\{.*)$/gm)].map(([, data]) => JSON.parse(data!));
  let [texts, calls, isError] = ['', 0, false];
  for (const value of values) {
    isError ||= Boolean(value.error);
    const choice = value.choices?.[0];
    const whole = [...(value.output ?? []), ...(Array.isArray(value.content) ? value.content : [])];
    texts += choice?.message?.content ?? choice?.delta?.content ?? '';
    for (const item of whole) texts += item.text ?? (item.type === 'message' ? item.content[0].text : '');
    if (value.type === 'response.output_text.delta') texts += value.delta;
    if (value.delta?.type === 'text_delta') texts += value.delta.text;
    const called = choice?.message?.tool_calls ?? choice?.delta?.tool_calls?.filter(({ id }: any) => id) ?? [];
    const begun = value.type === 'response.output_item.added' ? [value.item] : [value.content_block ?? {}];
    calls += called.length + [...whole, ...begun].filter(({ type }) => /^(tool_use|function_call)$/.test(type)).length;
  }
  return { texts, calls, isError };
}

describe.each(readers)('the schemas of %s', (_, path, modelOf) => {
  it(`fit all of ${answersOfEach} answers, whole and streamed, with every text and call in them`, async () => {
    const protocol = protocols.find((one) => one.path === path)!;
    const seen = { good: 0, rejected: 0, broken: 0 };
    for await (const { status, type, text, isStreamed } of answersOf(protocol, answersOfEach)) {
      const model = modelOf({
        baseURL: 'http://recorded.invalid',
        apiKey: 'unused',
        fetch: async () => new Response(text, { status, headers: { 'Content-Type': type } }),
      });
      const { error, ...read } = await (isStreamed ? readStream(model) : readWhole(model));
      const { isError, ...expected } = said(text);
      const named = error as { readonly name?: string; readonly data?: unknown } | undefined;
      expect(named?.name ?? '', text).not.toMatch(/AI_(?:TypeValidation|JSONParse|InvalidResponseData)Error/);
      expect(error !== undefined, text).toBe(isError);
      // Without the fields of its schema, an error has no data.
      if (status !== 200) expect(named?.data, text).toBeDefined();
      else if (!isError) expect(read, text).toEqual(expected);
      seen[status !== 200 ? 'rejected' : isError ? 'broken' : 'good']++;
    }
    expect(Math.min(...Object.values(seen))).toBeGreaterThan(0);
  });
});
