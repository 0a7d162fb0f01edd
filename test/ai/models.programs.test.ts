import Anthropic from '@anthropic-ai/sdk';
import { expect, it } from 'vitest';

import { blocksOf } from '#test/docs/guide-code.ts';
import { describeWith } from '#test/support/describe-with.ts';
import { numberedUpstreams, startModelsServer } from '#test/support/models.ts';
import { openAiClient } from './clients.ts';

const describe = describeWith('@ai-sdk/openai-compatible', '@anthropic-ai/sdk', '@langchain/openai', 'openai');

const messages = [{ role: 'user' as const, content: 'What is an ETag?' }];

/** Starts a server with the file of the guide. The numbers of its servers are 0, 1 and 2. */
async function setUp(change = (text: string) => text) {
  const upstreams = await numberedUpstreams(3);
  const addresses = ['http://127.0.0.1:8000/v1', 'http://127.0.0.1:8001/v1', 'https://llm.example.com/v1'];
  let text = blocksOf('ai/models.md').find(({ file }) => file === 'models.toml')!.code;
  for (const [at, address] of addresses.entries()) text = text.replaceAll(address, upstreams[at]!.url);
  const { server, credential } = await startModelsServer(change(text), { env: { LLM_KEY: 'sk-abc' } });
  const api = server.running.urls.api;
  return {
    upstreams,
    openai: openAiClient({ api, credential }),
    anthropic: new Anthropic({ apiKey: credential, baseURL: `${api}/v2/ai`, maxRetries: 0 }),
  };
}

describe('the file of models in the guide', () => {
  it('serves openai', async () => {
    const { openai, upstreams } = await setUp();
    expect((await openai.models.list()).data.map(({ id }) => id)).toEqual(['cubic', 'small', 'large']);
    expect((await openai.models.retrieve('gpt-4o-mini')).id).toBe('small');
    expect((await openai.models.retrieve('openai/gpt-4o')).id).toBe('large');
    const completion = await openai.chat.completions.create({ model: 'gpt-4o', messages });
    expect([completion.model, completion.choices[0]!.message.content]).toEqual(['large', '2']);
    expect(upstreams[2]!.requests[0]).toMatchObject({
      body: { model: 'qwen3-235b' },
      headers: { authorization: 'Bearer sk-abc' },
    });
    const stream = await openai.chat.completions.create({ model: 'openai/gpt-4o', messages, stream: true });
    const models = new Set<string>();
    for await (const chunk of stream) models.add(chunk.model);
    expect([...models]).toEqual(['large']);
    const response = await openai.responses.create({ model: 'gpt-4o-mini', input: 'What is an ETag?' });
    expect(response.model).toBe('small');
    const final = await openai.responses.stream({ model: 'large', input: 'What is an ETag?' }).finalResponse();
    expect([final.model, final.output_text]).toEqual(['large', '2']);
  });

  it('serves @anthropic-ai/sdk', async () => {
    const { anthropic, upstreams } = await setUp();
    const message = await anthropic.messages.create({ model: 'claude-haiku-4-5', max_tokens: 9, messages });
    expect(message.model).toBe('small');
    upstreams[0]!.answer({ status: 500 });
    upstreams[1]!.answer({ status: 500 });
    const streamed = await anthropic.messages
      .stream({ model: 'claude-haiku-4-5', max_tokens: 9, messages })
      .finalMessage();
    expect(streamed).toMatchObject({ model: 'small', content: [{ text: '2' }] });
    expect(upstreams[2]!.requests[0]!.body.model).toBe('qwen3-8b');
  });

  it('gives clients the errors of unknown models that they know, if the operator rejects those', async () => {
    const { openai, anthropic } = await setUp((text) => `unknown_models = "reject"\n${text}`);
    await expect(openai.chat.completions.create({ model: 'gpt-9', messages })).rejects.toMatchObject({
      status: 404,
      code: 'model_not_found',
      type: 'invalid_request_error',
    });
    await expect(anthropic.messages.create({ model: 'claude-9', max_tokens: 9, messages })).rejects.toThrow(
      Anthropic.NotFoundError,
    );
  });
});
