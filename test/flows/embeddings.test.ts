import { countTokens } from 'gpt-tokenizer/encoding/cl100k_base';
import { describe, expect, it } from 'vitest';

import { embeddingsOf, vectorOf } from '#mocks/chat-upstream-answers.ts';
import { fieldRejections } from '#mocks/chat-upstream-errors.ts';
import { ask, spentToday, startChatServer } from '#test/support/chat.ts';
import { startTestServer, type TestServer } from '#test/support/server.ts';

const env = { CUBBY_AI_EMBEDDINGS_MODEL: 'nomic-embed' };
const nothing = { requests: 0, tokens: 0, spend: 0 };

function embed(server: TestServer, credential: string, body: object) {
  return server.send('/v2/ai/embeddings', { method: 'POST', credential, body: JSON.stringify(body) });
}

async function setUp(plan: 'standard' | 'enterprise' = 'enterprise') {
  const setup = await startChatServer({ env: { CUBBY_AI_UPSTREAM_KEY: 'sk-up', ...env } });
  const { credential } = await setup.server.account(plan);
  return { ...setup, credential };
}

describe('embeddings', () => {
  it('are one vector for each text, charged as the upstream counts them', async () => {
    const { server, upstream, credential } = await setUp();
    const answer = await embed(server, credential, { model: 'anything', input: ['a', 'b'] });
    expect(answer.json()).toEqual({
      object: 'list',
      data: ['a', 'b'].map((text, index) => ({ object: 'embedding', index, embedding: vectorOf(text) })),
      model: 'cubic-embeddings',
      usage: { prompt_tokens: 8, total_tokens: 8 },
    });
    expect(answer.headers.get('content-type')).toContain('application/json');
    expect(upstream.requests[0]).toMatchObject({
      path: '/v1/embeddings',
      headers: { authorization: 'Bearer sk-up' },
      body: { model: 'nomic-embed', input: ['a', 'b'] },
    });
    expect(await spentToday(server, credential)).toEqual({ requests: 1, tokens: 8, spend: 8 });
  });

  it('take one text, tokens and lists of tokens', async () => {
    const { server, upstream, credential } = await setUp();
    for (const input of ['one', [1, 2, 3], [[1, 2], [3]]])
      expect((await embed(server, credential, { input })).status).toBe(200);
    expect(upstream.requests.map(({ body }) => body.input)).toEqual([['one'], [[1, 2, 3]], [[1, 2], [3]]]);
  });

  it('have as base64 the exact bytes of their numbers', async () => {
    const { server, credential } = await setUp();
    const [{ embedding }] = (await embed(server, credential, { input: 'a', encoding_format: 'base64' })).json().data;
    const bytes = Buffer.from(embedding, 'base64');
    expect([...new Float32Array(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length))]).toEqual(
      vectorOf('a'),
    );
  });

  it.each(fieldRejections.encoding_format)('come from a server that rejects their encoding: %j', async (rejection) => {
    const { server, upstream, credential } = await setUp();
    upstream.answer(({ body }) => ('encoding_format' in body ? rejection : { status: 200, body: embeddingsOf(body) }));
    for (const input of ['a', 'b'])
      expect((await embed(server, credential, { input })).json().data[0].embedding).toEqual(vectorOf(input));
    // The second request knows it. What was rejected costs nothing.
    expect(upstream.requests.map(({ body }) => body.encoding_format)).toEqual(['float', undefined, undefined]);
    expect(await spentToday(server, credential)).toMatchObject({ requests: 2, tokens: 8 });
  });

  it('have the dimensions that are asked for, or are rejected and charged', async () => {
    const { server, upstream, credential } = await setUp();
    const short = await embed(server, credential, { input: 'a', dimensions: 5 });
    expect(short.json().data[0].embedding).toHaveLength(5);
    upstream.answer({ status: 200, body: { data: [{ index: 0, embedding: [1, 2] }] } });
    const wrong = await embed(server, credential, { input: 'word word word', dimensions: 5 });
    expect([wrong.status, wrong.json().error.code]).toEqual([400, 'invalid_request']);
    expect(await spentToday(server, credential)).toMatchObject({ requests: 2, tokens: 4 + 3 });
  });

  it('of many texts come in order, from batches', async () => {
    const { server, upstream, credential } = await setUp();
    const input = Array.from({ length: 50 }, (_, at) => `text ${at}`);
    const { data, usage } = (await embed(server, credential, { input })).json();
    expect(data.map(({ embedding }: any) => embedding)).toEqual(input.map((text) => vectorOf(text)));
    expect([upstream.requests.length, usage.total_tokens]).toEqual([4, 200]);
    expect((await spentToday(server, credential)).tokens).toBe(200);
  });

  it('without a usage are charged what the tokenizer counts', async () => {
    const { server, upstream, credential } = await setUp();
    const text = 'Cubby keeps its files in a folder.';
    upstream.answer({ status: 200, body: { data: [{ index: 0, embedding: [1] }] } });
    expect((await embed(server, credential, { input: [text] })).json().usage.total_tokens).toBe(countTokens(text));
  });

  it.each([
    ['a missing vector', { data: [] }],
    ['a vector twice', { data: [0, 0].map((index) => ({ index, embedding: [1] })) }],
    ['an index outside', { data: [5, 0].map((index) => ({ index, embedding: [1] })) }],
    ['a vector that has no numbers', { data: [0, 1].map((index) => ({ index, embedding: ['a'] })) }],
    ['vectors of several lengths', { data: [[1], [1, 2]].map((embedding, index) => ({ index, embedding })) }],
    ['nonsense', '<html>'],
  ])('an answer with %s is none', async (_, body) => {
    const { server, upstream, credential } = await setUp();
    upstream.answer({ status: 200, body });
    const answer = await embed(server, credential, { input: ['word', 'word'] });
    expect([answer.status, answer.json().error.code]).toEqual([503, 'server_overloaded']);
    expect(await spentToday(server, credential)).toEqual({ requests: 1, tokens: 2, spend: 2 });
  });

  it('cost nothing when the upstream rejects them at once', async () => {
    const { server, upstream, credential } = await setUp('standard');
    for (const [behaviour, code] of [
      [{ status: 401 }, 'server_overloaded'],
      [{ status: 400 }, 'invalid_request'],
    ] as const) {
      upstream.answer(behaviour);
      expect((await embed(server, credential, { input: 'a' })).json().error.code).toBe(code);
    }
    expect(await spentToday(server, credential)).toEqual(nothing);
  });

  it('have the context window and the pace of the plan', async () => {
    const { server, credential } = await setUp('standard');
    const tooLong = await embed(server, credential, { input: Array.from({ length: 20 }, () => 'word '.repeat(900)) });
    expect(tooLong.json().error.code).toBe('context_length_exceeded');
    expect((await embed(server, credential, { input: 'a' })).status).toBe(200);
    expect((await embed(server, credential, { input: 'a' })).json().error.code).toBe('rate_limit_exceeded');
    expect((await ask(server, credential, 'a')).json().error.code).toBe('rate_limit_exceeded');
  });

  it('are rejected clearly where the operator has named no model', async () => {
    const server = await startTestServer();
    const { credential } = await server.account('standard');
    const answer = await embed(server, credential, { input: 'a' });
    expect([answer.status, answer.json().error]).toMatchObject([400, { code: 'embeddings_not_supported' }]);
    expect(await spentToday(server, credential)).toEqual(nothing);
  });
});

describe('the models', () => {
  it('can be looked up by name', async () => {
    const { server, credential } = await setUp();
    const get = (path: string) => server.send(`/v2/ai/models${path}`, { credential });
    expect((await get('')).json().data.map(({ id }: { id: string }) => id)).toEqual(['cubic', 'cubic-embeddings']);
    expect((await get('/cubic')).json()).toMatchObject({ id: 'cubic', object: 'model' });
    expect((await get('/cubic-embeddings')).json()).toMatchObject({ id: 'cubic-embeddings' });
    for (const name of ['gpt-5', 'Cubic', 'cubic ', 'constructor']) {
      const answer = await get(`/${encodeURIComponent(name)}`);
      expect([answer.status, answer.json().error]).toMatchObject([404, { code: 'model_not_found' }]);
    }
  });

  it('are only cubic where no model for embeddings is named', async () => {
    const server = await startTestServer();
    const { credential } = await server.account();
    const got = await server.send('/v2/ai/models/cubic-embeddings', { credential });
    expect([got.status, got.json().error.code]).toEqual([404, 'model_not_found']);
  });
});
