import { describe, expect, it } from 'vitest';

import { ask, askForStream, spentToday, startChatServer } from '#test/support/chat.ts';
import type { TestServer } from '#test/support/server.ts';

const env = {
  CUBBY_AI_CACHE_SECONDS: '60',
  CUBBY_AI_STREAMING: 'on',
  CUBBY_AI_EMBEDDINGS_MODEL: 'nomic-embed',
};
const answer = { text: 'A mark of one version 😀.', usage: { prompt_tokens: 24, completion_tokens: 22 } };
const question = { messages: [{ role: 'user', content: 'What is an ETag?' }], temperature: 0 };

async function setUp(more: Record<string, string> = {}, search = false) {
  const setup = await startChatServer({ env: { ...env, ...more }, search });
  setup.upstream.answer(answer);
  const account = await setup.server.account('enterprise');
  return { ...setup, account, credential: account.credential };
}

const statusOf = ({ headers }: { readonly headers: Headers }) => headers.get('cache-status');

function post(server: TestServer, path: string, credential: string, body: object, headers = {}) {
  return server.send(path, { method: 'POST', credential, body: JSON.stringify(body), headers });
}

describe('a cached answer', () => {
  it('is the same answer under a new id, costs nothing, and has its age', async () => {
    const { server, upstream, credential } = await setUp();
    const first = await ask(server, credential, question);
    expect(statusOf(first)).toBe('cubby; fwd=miss; stored');
    expect(first.headers.get('age')).toBeNull();
    const spent = await spentToday(server, credential);
    server.clock.advance(12_500);
    const again = await ask(server, credential, question);
    expect([again.status, statusOf(again), again.headers.get('age')]).toEqual([200, 'cubby; hit; ttl=47', '12']);
    expect(again.json()).toEqual({
      ...first.json(),
      id: expect.stringMatching(/^chatcmpl-/),
      created: expect.any(Number),
    });
    expect(again.json().id).not.toBe(first.json().id);
    expect(upstream.requests).toHaveLength(1);
    expect(await spentToday(server, credential)).toEqual(spent);
    await expect.poll(() => server.log.filter(({ cache }) => cache === 'hit')).toHaveLength(1);
    expect(server.log.find(({ cache }) => cache === 'hit')).toMatchObject({ input_tokens: 0, model_rounds: 0 });
    const metrics = (await server.send('/metrics', { door: 'operator' })).body.toString();
    expect(metrics).toContain('cubby_ai_cached_total{operation="chat",model="cubic"} 1\n');
    expect(metrics).toContain('cubby_ai_tokens_total{kind="output"} 22\n');
    server.clock.advance(47_500);
    expect(statusOf(await ask(server, credential, question))).toBe('cubby; fwd=miss; stored');
  });

  it('is given to a stream, and a stream’s answer to a whole request', async () => {
    const { server, upstream, credential } = await setUp();
    const whole = await ask(server, credential, question);
    const stream = await askForStream(server, credential, { ...question, stream_options: { include_usage: true } });
    expect(statusOf(stream)).toMatch(/^cubby; hit; ttl=60$/);
    expect(stream.text).toBe(answer.text);
    expect(stream.events.at(-2).usage).toEqual(whole.json().usage);
    expect(stream.events.at(-1)).toBe('[DONE]');
    const other = { ...question, seed: 7 };
    const streamed = await askForStream(server, credential, other);
    expect([statusOf(streamed), streamed.text]).toEqual(['cubby; fwd=miss', answer.text]);
    const again = await ask(server, credential, other);
    expect([statusOf(again), again.json().choices]).toEqual(['cubby; hit; ttl=60', whole.json().choices]);
    expect(upstream.requests).toHaveLength(2);
  });

  it('may be long, and may call functions', async () => {
    const { server, upstream, credential } = await setUp();
    const text = `${'a'.repeat(255)}😀${'b'.repeat(1000)}`;
    upstream.answer({ text });
    await ask(server, credential, question);
    expect((await askForStream(server, credential, question)).text).toBe(text);
    const tools = [{ type: 'function', function: { name: 'find_invoice', parameters: { type: 'object' } } }];
    upstream.answer({ toolCalls: [{ id: 'call_1', name: 'find_invoice', arguments: '{"month":"2026-04"}' }] });
    const first = await ask(server, credential, { ...question, tools });
    const again = await ask(server, credential, { ...question, tools });
    expect([statusOf(again), again.json().choices]).toEqual(['cubby; hit; ttl=60', first.json().choices]);
    const { events } = await askForStream(server, credential, { ...question, tools });
    expect(events.flatMap((event) => event.choices?.[0]?.delta?.tool_calls ?? [])).toEqual([
      { index: 0, id: 'call_1', type: 'function', function: { name: 'find_invoice', arguments: '' } },
      { index: 0, function: { arguments: '{"month":"2026-04"}' } },
    ]);
    expect(events.at(-2).choices[0].finish_reason).toBe('tool_calls');
  });

  it('is the same in every form of request, whole and streamed', async () => {
    const { server, upstream, credential } = await setUp();
    await ask(server, credential, { ...question, max_tokens: 100 });
    const input = { input: 'What is an ETag?', temperature: 0, max_output_tokens: 100 };
    const responses = await post(server, '/v2/ai/responses', credential, input);
    expect([statusOf(responses), responses.json().output[0].content[0].text]).toEqual([
      'cubby; hit; ttl=60',
      answer.text,
    ]);
    const message = { messages: question.messages, temperature: 0, max_tokens: 100 };
    const messages = await post(server, '/v2/ai/messages', credential, message);
    expect([statusOf(messages), messages.json().content[0].text]).toEqual(['cubby; hit; ttl=60', answer.text]);
    for (const [path, body] of [
      ['/v2/ai/responses', input],
      ['/v2/ai/messages', message],
    ] as const) {
      const stream = await post(server, path, credential, { ...body, stream: true });
      expect([statusOf(stream), stream.status]).toEqual(['cubby; hit; ttl=60', 200]);
      expect(stream.body.toString()).toContain('😀');
    }
    expect(upstream.requests).toHaveLength(1);
  });

  it('is not kept from the model by limits: it needs no budget, no pace and no place', async () => {
    const { server, upstream, account } = await setUp();
    const standard = await server.account('standard');
    await ask(server, standard.credential, question);
    // Pacing allows one request in 5 seconds, and the clock stands still.
    expect((await ask(server, standard.credential, 'another')).json().error.code).toBe('rate_limit_exceeded');
    const hits = await Promise.all(Array.from({ length: 5 }, () => ask(server, standard.credential, question)));
    expect(hits.map(({ status }) => status)).toEqual(Array(5).fill(200));
    expect(upstream.requests).toHaveLength(1);
    expect(account.id).not.toBe(standard.id);
  });
});

describe('the cache', () => {
  it('is off by default: no header, and each request asks the model', async () => {
    const { server, upstream, credential } = await setUp({ CUBBY_AI_CACHE_SECONDS: '0' });
    for (let asked = 0; asked < 2; asked++) expect(statusOf(await ask(server, credential, question))).toBeNull();
    expect(upstream.requests).toHaveLength(2);
  });

  it('shares nothing between accounts, nor between keys of one account', async () => {
    const { server, upstream, account, credential } = await setUp();
    await ask(server, credential, question);
    const key = await server.key(account, { scopes: ['ai:chat'] });
    const other = await server.account('enterprise');
    for (const another of [key, other.credential])
      expect(statusOf(await ask(server, another, question))).toBe('cubby; fwd=miss; stored');
    expect(upstream.requests).toHaveLength(3);
  });

  it('knows a repeat by everything that reaches the model, in any order of fields', async () => {
    const { server, upstream, credential } = await setUp();
    await ask(server, credential, question);
    const others = [
      { max_tokens: 10 },
      { seed: 1 },
      { top_p: 0.5 },
      { stop: ['x'] },
      { presence_penalty: 1 },
      { frequency_penalty: 1 },
      { response_format: { type: 'json_object' } },
      { tool_choice: 'none' },
      { messages: [{ role: 'system', content: 'Be short.' }, ...question.messages] },
      { messages: [{ role: 'user', content: 'What is an ETag? ' }] },
      { tools: [{ type: 'function', function: { name: 'a' } }] },
    ];
    for (const [index, more] of others.entries()) {
      expect([index, statusOf(await ask(server, credential, { ...question, ...more }))]).toEqual([
        index,
        'cubby; fwd=miss; stored',
      ]);
    }
    expect(upstream.requests).toHaveLength(1 + others.length);
    const tool = (parameters: object) => ({
      ...question,
      tools: [{ type: 'function', function: { name: 'b', parameters } }],
    });
    await ask(server, credential, tool({ type: 'object', required: ['a'] }));
    expect(statusOf(await ask(server, credential, tool({ required: ['a'], type: 'object' })))).toBe(
      'cubby; hit; ttl=60',
    );
    // Fields that do not reach the model make no difference.
    expect(statusOf(await ask(server, credential, { ...question, user: 'x', model: 'gpt-4o' }))).toBe(
      'cubby; hit; ttl=60',
    );
  });

  it('is not asked unless the temperature is 0', async () => {
    const { server, upstream, credential } = await setUp();
    for (const temperature of [undefined, 0.1, null])
      for (let asked = 0; asked < 2; asked++)
        expect(statusOf(await ask(server, credential, { ...question, temperature }))).toBe(
          'cubby; fwd=bypass; detail=temperature',
        );
    expect(upstream.requests).toHaveLength(6);
  });

  it('obeys no-cache and no-store', async () => {
    const { server, upstream, credential } = await setUp();
    const send = (cacheControl: string, body: object = question) =>
      post(server, '/v2/ai/chat/completions', credential, body, { 'Cache-Control': cacheControl });
    upstream.answer({ text: 'one' }, { text: 'two' }, { text: 'three' });
    expect(statusOf(await send('max-age=0, no-store'))).toBe('cubby; fwd=bypass; detail=no-store');
    expect(statusOf(await send(''))).toBe('cubby; fwd=miss; stored');
    const refreshed = await send('No-Cache');
    expect([statusOf(refreshed), refreshed.json().choices[0].message.content]).toEqual([
      'cubby; fwd=bypass; stored; detail=no-cache',
      'three',
    ]);
    const hit = await send('max-age=0');
    expect([statusOf(hit), hit.json().choices[0].message.content]).toEqual(['cubby; hit; ttl=60', 'three']);
    expect(statusOf(await send('no-store'))).toBe('cubby; fwd=bypass; detail=no-store');
  });

  it('keeps no answer that was cut off, filtered, searched for, broken off or refused', async () => {
    const { server, upstream, credential } = await setUp({}, true);
    for (const finishReason of ['length', 'content_filter'] as const) {
      upstream.answer({ text: 'A mark', finishReason });
      for (let asked = 0; asked < 2; asked++)
        expect(statusOf(await ask(server, credential, question))).toBe('cubby; fwd=miss');
    }
    const call = { id: 'call_1', name: 'web_search', arguments: '{"query":"etag"}' };
    for (let asked = 0; asked < 2; asked++) {
      upstream.answer({ toolCalls: [call] }, { text: 'Found.' });
      expect(statusOf(await ask(server, credential, question))).toBe('cubby; fwd=miss');
    }
    upstream.answer({ status: 400, body: '{}' });
    expect((await ask(server, credential, question)).status).toBe(400);
    upstream.answer({ pieces: ['data: {"choices":[{"index":0,"delta":{"content":"A"}}]}\n\n'], atEnd: 'hang-up' });
    await askForStream(server, credential, question);
    upstream.answer(answer);
    // The search was offered, and the model did not use it.
    expect(statusOf(await ask(server, credential, question))).toBe('cubby; fwd=miss; stored');
    expect(statusOf(await ask(server, credential, question))).toBe('cubby; hit; ttl=60');
  });

  it('comes after plan, scope and validity, and a revoked key does not reach it', async () => {
    const { server, account, credential } = await setUp();
    const key = await server.key(account, { scopes: ['ai:chat'] });
    await ask(server, key, question);
    await server.running.app.stores.metadata.atomically((tx) => tx.accounts.setPlan(account.id, 'hobby'));
    expect((await ask(server, key, question)).json().error.code).toBe('upgrade_required');
    await server.running.app.stores.metadata.atomically((tx) => tx.accounts.setPlan(account.id, 'standard'));
    server.clock.advance(5000);
    // The longest answer of the plan is another one, which reaches the model.
    expect(statusOf(await ask(server, key, question))).toBe('cubby; fwd=miss; stored');
    const keys = (await server.send('/v1/account/keys', { credential })).json().response.keys;
    const { id } = keys.find(({ scopes }: { scopes: string[] }) => scopes.length === 1 && scopes[0] === 'ai:chat');
    expect((await server.send(`/v1/account/keys/${id}`, { method: 'DELETE', credential })).status).toBe(200);
    expect((await ask(server, key, question)).json().error.code).toBe('access_denied');
  });

  it('answers two identical requests at once with two of the model', async () => {
    const { server, upstream, credential } = await setUp();
    upstream.answer({ ...answer, delayMs: 100 });
    const both = await Promise.all([ask(server, credential, question), ask(server, credential, question)]);
    expect(both.map(statusOf)).toEqual(Array(2).fill('cubby; fwd=miss; stored'));
    expect(upstream.requests).toHaveLength(2);
  });
});

describe('cached vectors', () => {
  it('are those of the same texts, in either encoding, and cost nothing', async () => {
    const { server, upstream, credential } = await setUp();
    const embed = (body: object, headers = {}) => post(server, '/v2/ai/embeddings', credential, body, headers);
    const input = Array.from({ length: 40 }, (_, index) => `text ${index}`);
    const first = await embed({ input });
    expect(statusOf(first)).toBe('cubby; fwd=miss; stored');
    const spent = await spentToday(server, credential);
    const [asked, again] = [upstream.requests.length, await embed({ input })];
    expect([statusOf(again), again.json()]).toEqual(['cubby; hit; ttl=60', first.json()]);
    const base64 = await embed({ input, encoding_format: 'base64' });
    expect(statusOf(base64)).toBe('cubby; hit; ttl=60');
    const vector = Buffer.from(base64.json().data[39].embedding, 'base64');
    expect(vector.readFloatLE(0)).toBeCloseTo(first.json().data[39].embedding[0]);
    expect(upstream.requests).toHaveLength(asked);
    expect(await spentToday(server, credential)).toEqual(spent);
    expect(statusOf(await embed({ input: input.toReversed() }))).toBe('cubby; fwd=miss; stored');
    expect(statusOf(await embed({ input }, { 'Cache-Control': 'no-cache' }))).toBe(
      'cubby; fwd=bypass; stored; detail=no-cache',
    );
    expect(statusOf(await embed({ input }, { 'Cache-Control': 'no-store' }))).toBe(
      'cubby; fwd=bypass; detail=no-store',
    );
  });

  it('are not kept if they are too large for the cache', async () => {
    const { server, credential } = await setUp({ CUBBY_AI_CACHE_BYTES: '1MiB' });
    const input = Array.from({ length: 100 }, (_, index) => `text ${index}`);
    const large = { input, dimensions: 400 };
    for (let asked = 0; asked < 2; asked++)
      expect(statusOf(await post(server, '/v2/ai/embeddings', credential, large))).toBe('cubby; fwd=miss');
  });
});
