import { describe, expect, it } from 'vitest';

import { spentToday, startChatServer } from '#test/support/chat.ts';

const counted = { prompt_tokens: 120, completion_tokens: 50, total_tokens: 170 };
const ofOpenAi = {
  ...counted,
  prompt_tokens_details: { cached_tokens: 96 },
  completion_tokens_details: { reasoning_tokens: 40 },
};
const ofDeepSeek = { ...ofOpenAi, prompt_tokens_details: undefined, prompt_cache_hit_tokens: 96 };

const messages = [{ role: 'user', content: 'What is an ETag?' }];

/** Each protocol with its body, and with its usage in both answers: of counts with these parts, and without any. */
const protocols = [
  {
    path: 'chat/completions',
    body: { messages, stream_options: { include_usage: true } },
    withParts: ofOpenAi,
    without: counted,
  },
  {
    path: 'responses',
    body: { input: 'What is an ETag?' },
    withParts: {
      input_tokens: 120,
      input_tokens_details: { cached_tokens: 96 },
      output_tokens: 50,
      output_tokens_details: { reasoning_tokens: 40 },
      total_tokens: 170,
    },
    without: {
      input_tokens: 120,
      input_tokens_details: { cached_tokens: 0 },
      output_tokens: 50,
      output_tokens_details: { reasoning_tokens: 0 },
      total_tokens: 170,
    },
  },
  {
    path: 'messages',
    body: { messages, max_tokens: 100 },
    withParts: {
      input_tokens: 24,
      output_tokens: 50,
      cache_creation_input_tokens: 0,
      cache_read_input_tokens: 96,
    },
    without: {
      input_tokens: 120,
      output_tokens: 50,
      cache_creation_input_tokens: 0,
      cache_read_input_tokens: 0,
    },
  },
] as const;

/** Returns the last usage in the events of a stream. */
function usageInEvents(body: string): unknown {
  const events = [...body.matchAll(/^data: (\{.*)$/gm)].map(([, data]) => JSON.parse(data!));
  return events.map((event) => event.usage ?? event.response?.usage).findLast((usage) => usage);
}

describe.each(protocols)('the usage of $path', ({ path, body, withParts, without }) => {
  it.each([
    ['the parts that the model names', ofOpenAi, withParts],
    ['the parts that the model names in the words of another vendor', ofDeepSeek, withParts],
    ['none that the model does not name', counted, without],
    ['none that are no counts', { ...counted, prompt_tokens_details: { cached_tokens: -1 } }, without],
  ])('has %s', async (_name, usage, expected) => {
    const { server, upstream } = await startChatServer({ env: { CUBBY_AI: 'open' } });
    const { credential } = await server.account('enterprise');
    upstream.answer({ text: 'A name.', usage });
    const send = (fields: object) =>
      server.send(`/v2/ai/${path}`, { method: 'POST', credential, body: JSON.stringify({ ...body, ...fields }) });
    expect((await send({ stream_options: undefined })).json().usage).toEqual(expected);
    expect(usageInEvents((await send({ stream: true })).body.toString())).toEqual(expected);
    // What was cached is charged as the rest.
    expect(await spentToday(server, credential)).toMatchObject({ requests: 2, tokens: 2 * (120 + 50) });
  });
});
