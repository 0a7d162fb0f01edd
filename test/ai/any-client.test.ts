import { describe, expect, it } from 'vitest';

import { spentToday, startChatServer } from '#test/support/chat.ts';

const version = { 'anthropic-version': '2023-06-01' };
const hello = { messages: [{ role: 'user', content: 'hello' }] };

async function setUp() {
  const setup = await startChatServer();
  const { credential } = await setup.server.account('pro');
  const get = (path: string, headers = {}) => setup.server.send(path, { credential, headers });
  const post = (path: string, body: object, headers = {}) =>
    setup.server.send(path, { method: 'POST', credential, body: JSON.stringify(body), headers });
  return { ...setup, credential, get, post };
}

describe('the base address of the AI gateway', () => {
  it('takes each route with /v1 before it, once or twice', async () => {
    const { get, post, server, upstream, credential } = await setUp();
    for (const base of ['/v2/ai', '/v2/ai/v1', '/v2/ai/v1/v1']) {
      for (const [path, body] of [
        ['chat/completions', hello],
        ['messages', hello],
        ['responses', { input: 'hello' }],
        ['messages/count_tokens', hello],
      ] as const) {
        server.clock.advance(10_000);
        expect((await post(`${base}/${path}`, body)).status, `${base}/${path}`).toBe(200);
      }
      expect((await get(`${base}/models`)).status).toBe(200);
      expect((await get(`${base}/models/cubic?a=1`)).json()).toMatchObject({ id: 'cubic' });
      expect((await get(`${base}/usage`)).status).toBe(200);
    }
    expect(upstream.requests).toHaveLength(9);
    for (const path of ['/v2/ai/v1', '/v2/ai/v2/models', '/v2/ai/v1/v1/v1/models', '/v2/v1/ai/models'])
      expect((await get(path)).status, path).toBe(404);
    const line = server.log.find(({ operation }) => operation === 'getModel');
    expect(line).toMatchObject({ status: 200 });
    const wrong = await server.send('/v2/ai/v1/models', { credential: 'cbk_wrong' });
    expect([wrong.status, wrong.json().error.code]).toEqual([401, 'access_denied']);
    expect(credential).not.toBe('');
  });
});

describe('an error without a route', () => {
  it('has the form of the route around it, or else of the client', async () => {
    const { get, post } = await setUp();
    const form = (error: object) => ('type' in error && error.type === 'error' ? 'messages' : 'chats');
    const formOf = async (answer: ReturnType<typeof get>) => [(await answer).status, form((await answer).json())];
    expect(await formOf(get('/v2/ai/files'))).toEqual([404, 'chats']);
    expect(await formOf(get('/v2/ai/files', version))).toEqual([404, 'messages']);
    expect(await formOf(get('/v2/ai/v1/files', version))).toEqual([404, 'messages']);
    expect(await formOf(post('/v2/ai/v1/messages/batches', {}))).toEqual([404, 'messages']);
    expect(await formOf(get('/v2/ai/messages'))).toEqual([405, 'messages']);
    expect(await formOf(get('/v2/ai/responses'))).toEqual([405, 'chats']);
    expect(await formOf(get('/v2/ai/models/none'))).toEqual([404, 'chats']);
    expect(await formOf(get('/v2/ai/models/none', version))).toEqual([404, 'messages']);
    expect(await formOf(get('/v2/aim', version))).toEqual([404, 'chats']);
  });
});

describe('the models', () => {
  it('have the form of the client, which may send the key as X-Api-Key', async () => {
    const { get, server, credential } = await setUp();
    const cubic = {
      type: 'model',
      id: 'cubic',
      display_name: 'cubic',
      created_at: '2026-01-01T00:00:00.000Z',
      lifecycle: 'active',
      deprecated_at: null,
      line: null,
      capabilities: null,
      max_input_tokens: 24_576,
      max_tokens: 6144,
    };
    const page = { data: [cubic], has_more: false, first_id: 'cubic', last_id: 'cubic' };
    expect((await get('/v2/ai/models', version)).json()).toEqual(page);
    expect((await get('/v2/ai/v1/models?limit=20&after_id=a', version)).json()).toEqual(page);
    expect((await get('/v2/ai/models/cubic', version)).json()).toEqual(cubic);
    expect((await get('/v2/ai/models')).json()).toMatchObject({ object: 'list', data: [{ object: 'model' }] });
    const headers = { ...version, 'x-api-key': credential };
    expect((await server.send('/v2/ai/models', { headers })).json()).toEqual(page);
    const none = await server.key(await server.account('pro'), { scopes: ['ai:chat'], ai: { models: ['other'] } });
    const empty = await server.send('/v2/ai/models', { credential: none, headers: version });
    expect(empty.json()).toEqual({ data: [], has_more: false, first_id: null, last_id: null });
  });
});

describe('the count of tokens', () => {
  it('asks no model, costs nothing, and says what is left out', async () => {
    const { post, server, upstream, credential } = await setUp();
    const count = async (body: object) => (await post('/v2/ai/messages/count_tokens', body)).json().input_tokens;
    expect(await count({ messages: [{ role: 'user', content: 'hello world' }] })).toBe(2);
    const system = await count({ ...hello, system: 'hello world' });
    expect(system).toBe(3);
    expect(await count({ ...hello, tools: [{ name: 'find', input_schema: { type: 'object' } }] })).toBeGreaterThan(5);
    expect(await count({ messages: [{ role: 'user', content: 'word '.repeat(40_000) }] })).toBe(40_001);
    const open = [{ role: 'user', content: [{ type: 'tool_result', tool_use_id: 'a', content: 'hello' }] }];
    expect(await count({ messages: open })).toBeGreaterThan(1);
    const other = await post('/v2/ai/messages/count_tokens', { ...hello, tools: [{ type: 'mcp_toolset' }] });
    expect(other.headers.get('x-cubby-ignored')).toBe('tools.mcp_toolset');
    expect(upstream.requests).toEqual([]);
    expect(await spentToday(server, credential)).toEqual({ requests: 0, tokens: 0, spend: 0 });
  });

  it('is that of the check of the context window', async () => {
    const { post } = await setUp();
    const window = 24_576;
    for (const [words, status] of [
      [window, 400],
      [window - 1, 200],
    ] as const) {
      const body = { messages: [{ role: 'user', content: 'word '.repeat(words) }] };
      const { input_tokens } = (await post('/v2/ai/messages/count_tokens', body)).json();
      expect([input_tokens, (await post('/v2/ai/messages', body)).status]).toEqual([words + 1, status]);
    }
  });
});
