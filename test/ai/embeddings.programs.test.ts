import { createOpenAI } from '@ai-sdk/openai';
import { OpenAIEmbeddings } from '@langchain/openai';
import { embedMany } from 'ai';
import { expect, it } from 'vitest';

import { vectorOf } from '#mocks/chat-upstream-answers.ts';
import { startChatServer } from '#test/support/chat.ts';
import { describeWith } from '#test/support/describe-with.ts';
import { openAiClient } from './clients.ts';

const describe = describeWith('@ai-sdk/openai', '@ai-sdk/openai-compatible', '@langchain/openai', 'ai', 'openai');

describe('embeddings', () => {
  it('come to the openai client, the AI SDK and LangChain', async () => {
    const env = { CUBBY_AI_EMBEDDINGS_MODEL: 'nomic-embed', CUBBY_AI_UPSTREAM_KEY: 'sk-up' };
    const { server } = await startChatServer({ env });
    const { credential } = await server.account('enterprise');
    const options = { api: server.running.urls.api, credential };
    const { data } = await openAiClient(options).embeddings.create({ model: 'cubic-embeddings', input: ['a', 'b'] });
    expect(data.map(({ embedding }) => embedding)).toEqual([vectorOf('a'), vectorOf('b')]);
    const provider = createOpenAI({ baseURL: `${options.api}/v2/ai`, apiKey: options.credential });
    const model = provider.textEmbeddingModel('cubic-embeddings');
    expect((await embedMany({ model, values: ['a', 'b'] })).embeddings).toEqual([vectorOf('a'), vectorOf('b')]);
    const langChain = new OpenAIEmbeddings({
      model: 'cubic-embeddings',
      apiKey: options.credential,
      configuration: { baseURL: `${options.api}/v2/ai` },
    });
    expect(await langChain.embedDocuments(['a', 'b'])).toEqual([vectorOf('a'), vectorOf('b')]);
  });
});
