import { expect, it } from 'vitest';

import { startChatServer } from '#test/support/chat.ts';
import { describeWith } from '#test/support/describe-with.ts';
import { openAiClient } from './clients.ts';

const answer = { text: 'A mark of one version 😀.', usage: { prompt_tokens: 24, completion_tokens: 22 } };
const describe = describeWith('@ai-sdk/openai-compatible', '@langchain/openai', 'openai');

describe('the openai client', () => {
  it('sees the answer from the cache, whole and as a stream', async () => {
    const env = { CUBBY_AI_CACHE_SECONDS: '60', CUBBY_AI_STREAMING: 'on' };
    const { server, upstream } = await startChatServer({ env });
    upstream.answer(answer);
    const { credential } = await server.account('enterprise');
    const client = openAiClient({ api: server.running.urls.api, credential });
    const body = { model: 'cubic', messages: [{ role: 'user' as const, content: 'What is an ETag?' }], temperature: 0 };
    const first = await client.chat.completions.create(body).withResponse();
    const again = await client.chat.completions.create(body).withResponse();
    expect(again.response.headers.get('cache-status')).toBe('cubby; hit; ttl=60');
    expect(again.data.choices).toEqual(first.data.choices);
    const { data, response } = await client.chat.completions.create({ ...body, stream: true }).withResponse();
    expect(response.headers.get('cache-status')).toBe('cubby; hit; ttl=60');
    let text = '';
    for await (const chunk of data) text += chunk.choices[0]?.delta.content ?? '';
    expect(text).toBe(answer.text);
    const fresh = await client.chat.completions
      .create(body, { headers: { 'Cache-Control': 'no-cache' } })
      .withResponse();
    expect(fresh.response.headers.get('cache-status')).toContain('fwd=bypass');
    expect(upstream.requests).toHaveLength(2);
  });
});
