import { createAnthropic } from '@ai-sdk/anthropic';
import { createOpenAI } from '@ai-sdk/openai';
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import Anthropic from '@anthropic-ai/sdk';
import { generateText, type LanguageModel } from 'ai';
import OpenAI from 'openai';
import { expect, it } from 'vitest';

import { startChatServer } from '#test/support/chat.ts';
import { describeWith } from '#test/support/describe-with.ts';

/** The first call that the guide of a client shows, and what it returns. */
interface FirstCall {
  readonly call: (at: { readonly baseURL: string; readonly apiKey: string }) => Promise<unknown>;
  /** Whether the operator has to set `CUBBY_AI=open`. */
  readonly needsOpen?: true;
}

const question = { role: 'user', content: 'What is an ETag?' } as const;
const chat = { model: 'cubic', messages: [question] };
const message = { ...chat, max_tokens: 200 };
const schema = { type: 'object' as const, properties: { month: { type: 'string' } }, required: ['month'] };
const find = { name: 'find', description: 'Finds invoices of a month', parameters: schema };
const answer = 'It is a mark of a version.';

const openai = (at: { baseURL: string; apiKey: string }) => new OpenAI({ ...at, maxRetries: 0 });
const anthropic = (at: { baseURL: string; apiKey: string }) => new Anthropic({ ...at, maxRetries: 0 });
const texts = async (model: LanguageModel) =>
  (await generateText({ model, prompt: question.content, maxRetries: 0 })).text;

const calls: Readonly<Record<string, FirstCall>> = {
  'openai, chat': { call: async (at) => (await openai(at).chat.completions.create(chat)).choices[0]!.message.content },
  'openai, stream': {
    needsOpen: true,
    async call(at) {
      let text = '';
      for await (const chunk of await openai(at).chat.completions.create({ ...chat, stream: true }))
        text += chunk.choices[0]?.delta.content ?? '';
      return text;
    },
  },
  'openai, runTools': {
    call: (at) =>
      openai(at)
        .chat.completions.runTools({
          ...chat,
          tools: [
            {
              type: 'function',
              function: { ...find, parse: JSON.parse, function: () => 'found' },
            },
          ],
        })
        .finalContent(),
  },
  'openai, parse': {
    async call(at) {
      const format = { type: 'json_schema', json_schema: { name: 'invoice', schema, strict: true } } as const;
      const parsed = await openai(at).chat.completions.parse({ ...chat, response_format: format });
      return (parsed.choices[0]!.message.parsed as { month?: string } | null)?.month === '2026-04' && answer;
    },
  },
  'openai, responses': {
    call: async (at) => (await openai(at).responses.create({ model: 'cubic', input: question.content })).output_text,
  },
  'openai, embeddings': {
    async call(at) {
      const { data } = await openai(at).embeddings.create({ model: 'cubic-embeddings', input: question.content });
      return data[0]!.embedding.length > 0 && answer;
    },
  },
  '@anthropic-ai/sdk, messages': {
    call: async (at) => textOf(await anthropic(at).messages.create(message)),
  },
  '@anthropic-ai/sdk, stream': {
    call: async (at) => anthropic(at).messages.stream(message).finalText(),
  },
  '@anthropic-ai/sdk, tools': {
    call: async (at) =>
      textOf(await anthropic(at).messages.create({ ...message, tools: [{ name: 'find', input_schema: schema }] })),
  },
  '@anthropic-ai/sdk, countTokens': {
    async call(at) {
      const counted = await anthropic(at).messages.countTokens({ model: 'cubic', messages: [question] });
      return counted.input_tokens > 0 && answer;
    },
  },
  '@anthropic-ai/sdk, models': {
    async call(at) {
      const { data } = await anthropic(at).models.list();
      return data[0]!.id === 'cubic' && data[0]!.display_name !== '' && answer;
    },
  },
  'ai, @ai-sdk/openai': { call: (at) => texts(createOpenAI(at)('cubic')) },
  'ai, @ai-sdk/openai-compatible': { call: (at) => texts(createOpenAICompatible({ name: 'cubby', ...at })('cubic')) },
  'ai, @ai-sdk/anthropic': { call: (at) => texts(createAnthropic(at)('cubic')) },
};

function textOf({ content }: Anthropic.Message): string | undefined {
  return content.flatMap((block) => (block.type === 'text' ? [block.text] : []))[0];
}

const describe = describeWith(
  '@ai-sdk/anthropic',
  '@ai-sdk/openai',
  '@ai-sdk/openai-compatible',
  '@anthropic-ai/sdk',
  'ai',
  'openai',
);

describe('the first call of a client', () => {
  const cases = Object.entries(calls).flatMap(([name, { call, needsOpen = false }]) =>
    (['open', 'strict'] as const).map((setting) => ({ name, setting, call, works: setting === 'open' || !needsOpen })),
  );

  it.each(cases)('$name, with CUBBY_AI=$setting: works, $works', async ({ setting, call, works }) => {
    const { server, upstream } = await startChatServer({
      env: { CUBBY_AI: setting, CUBBY_AI_EMBEDDINGS_MODEL: 'nomic-embed' },
    });
    upstream.answer(({ body }) => ({ text: body.response_format ? '{"month":"2026-04"}' : answer }));
    const { credential: apiKey } = await server.account('enterprise');
    const outcome = await call({ baseURL: `${server.running.urls.api}/v2/ai`, apiKey }).then(
      (text) => text === answer,
      (error: Error) => error.message,
    );
    if (works) expect(outcome).toBe(true);
    else expect(outcome).toContain('CUBBY_AI=open');
  });
});
