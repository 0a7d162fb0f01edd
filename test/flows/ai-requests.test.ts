import { describe, expect, it } from 'vitest';

import { jobs } from '#server/jobs/jobs.ts';
import { maxWaitingRequests, AiRequestLog } from '#server/features/chat/ai-requests/request-log.ts';
import type { AiRequestRecord } from '#server/features/chat/ai-requests/request-record.ts';
import { ask, askForStream, startChatServer } from '#test/support/chat.ts';
import { eventually } from '#test/support/eventually.ts';
import type { TestServer } from '#test/support/server.ts';
import { openTestStores } from '#test/support/stores.ts';

const env = {
  CUBBY_AI_LOG_DAYS: '30',
  CUBBY_AI_CACHE_SECONDS: '60',
  CUBBY_AI_STREAMING: 'on',
  CUBBY_AI_EMBEDDINGS_MODEL: 'nomic-embed',
};
const usage = { prompt_tokens: 24, completion_tokens: 22 };
const dayMs = 86_400_000;

async function setUp(more: Record<string, string> = {}) {
  const setup = await startChatServer({ env: { ...env, ...more } });
  setup.upstream.answer({ text: 'A mark of one version.', usage });
  const account = await setup.server.account('enterprise');
  return { ...setup, account, credential: account.credential };
}

async function listed(server: TestServer, credential: string, query = ''): Promise<any> {
  return (await server.send(`/v2/ai/requests?${query}`, { credential })).json();
}

/** Waits until so many requests are recorded. Returns them, oldest first. */
async function recorded(server: TestServer, credential: string, count: number): Promise<any[]> {
  await expect.poll(async () => (await listed(server, credential)).requests.length, { timeout: 5000 }).toBe(count);
  return (await listed(server, credential)).requests.toReversed();
}

/** Sends requests one after the other, a second apart. */
async function oneByOne(server: TestServer, ...requests: ReadonlyArray<() => Promise<unknown>>): Promise<void> {
  for (const request of requests) {
    await request().catch(() => {});
    server.clock.advance(1000);
  }
}

/** Asks a model that stays silent, and leaves once it has the question. */
async function leave({ server, upstream, credential }: Awaited<ReturnType<typeof setUp>>, question: string) {
  const before = upstream.requests.length;
  upstream.answer('silent');
  const gone = new AbortController();
  const request = ask(server, credential, question, gone.signal);
  await eventually(() => expect(upstream.requests.length).toBe(before + 1));
  gone.abort();
  await request;
}

describe('the list of requests to models', () => {
  it('has each operation, what it was charged, and how it ended', async () => {
    const setup = await setUp();
    const { server, upstream, account, credential } = setup;
    const question = { messages: [{ role: 'user', content: 'canary-of-the-prompt' }], temperature: 0 };
    const began = server.clock.now();
    const post = (path: string, body: object, headers = {}) =>
      server.send(path, { method: 'POST', credential, body: JSON.stringify(body), headers });
    await oneByOne(
      server,
      () => post('/v2/ai/chat/completions', question, { 'X-Request-Id': 'my-own-request-1' }),
      () => askForStream(server, credential, 'hello'),
      () => ask(server, credential, question),
      () => post('/v2/ai/responses', { input: 'hello' }),
      () => post('/v2/ai/messages', { messages: [{ role: 'user', content: 'hello' }] }),
      () => post('/v2/ai/embeddings', { input: 'hello' }),
      () => ask(server, credential, { messages: [] }),
      () => (upstream.answer({ status: 400, body: '{}' }), ask(server, credential, 'refused')),
      () => leave(setup, 'left'),
    );
    const all = await recorded(server, credential, 8);
    expect(all.map(({ operation, stream, outcome, cached }) => [operation, stream, outcome, cached])).toEqual([
      ['chat', false, 'answered', false],
      ['chat', true, 'answered', false],
      ['chat', false, 'answered', true],
      ['responses', false, 'answered', false],
      ['messages', false, 'answered', false],
      ['embeddings', false, 'answered', false],
      ['chat', false, 'invalid_request', false],
      ['chat', false, 'aborted', false],
    ]);
    expect(all[0]).toEqual({
      id: expect.stringMatching(/^[a-z2-7]{26}$/),
      request_id: 'my-own-request-1',
      at: new Date(began).toISOString(),
      key_id: expect.stringMatching(/^[a-z2-7]{26}$/),
      model: 'cubic',
      operation: 'chat',
      stream: false,
      outcome: 'answered',
      input_tokens: 24,
      output_tokens: 22,
      cost: 0,
      cached: false,
      duration_ms: expect.any(Number),
      first_token_ms: null,
      upstream_attempts: 1,
      ignored: null,
    });
    expect(all[1].first_token_ms).toEqual(expect.any(Number));
    expect(all[2]).toMatchObject({ input_tokens: 0, output_tokens: 0, upstream_attempts: 0 });
    expect(all[5]).toMatchObject({ model: 'cubic-embeddings', output_tokens: 0, upstream_attempts: 1 });
    expect(all[6]).toMatchObject({ input_tokens: 0, output_tokens: 0 });
    expect(all[7].input_tokens).toBeGreaterThan(0);
    expect(JSON.stringify(all)).not.toMatch(/canary|cbk_/);
    expect((await listed(server, (await server.account()).credential)).requests).toEqual([]);
    const narrow = await server.key(account, { scopes: ['ai:chat'] });
    expect((await listed(server, narrow)).requests).toEqual([]);
    upstream.answer({ text: 'At last.', usage });
    await ask(server, narrow, 'hello');
    expect(await recorded(server, narrow, 1)).toMatchObject([{ outcome: 'answered' }]);
    expect((await listed(server, narrow, `key=${all[0].key_id}`)).requests).toEqual([]);
    const reader = await server.key(account, { scopes: ['account:read'] });
    expect((await listed(server, reader)).requests).toHaveLength(9);
    const history = (await server.send('/v2/ai/usage/history?group_by=model', { credential })).json().data;
    expect(history.map(({ model, requests, cached_requests: cached }: any) => [model, requests, cached])).toEqual([
      ['cubic', 6, 1],
      ['cubic-embeddings', 1, 0],
    ]);
    expect((await listed(server, credential)).kept_days).toBe(30);
  });

  it('counts the attempts of one request', async () => {
    const { server, upstream, credential } = await setUp();
    upstream.answer({ status: 503, body: '{}' }, { status: 503, body: '{}' }, { text: 'At last.', usage });
    expect((await ask(server, credential, 'hello')).status).toBe(200);
    expect(await recorded(server, credential, 1)).toMatchObject([{ upstream_attempts: 3, outcome: 'answered' }]);
    await expect.poll(() => server.log.find(({ upstream_attempts }) => upstream_attempts === 3)).toBeDefined();
  });

  it('is filtered by key, model, outcome and time, and has pages', async () => {
    const { server, upstream, account, credential } = await setUp();
    const began = server.clock.now();
    const key = await server.key(account, { scopes: ['ai:chat'] });
    await oneByOne(
      server,
      ...Array.from({ length: 5 }, () => () => ask(server, credential, 'hello')),
      () => ask(server, key, 'hello'),
      () => (upstream.answer({ status: 400, body: '{}' }), ask(server, key, 'refused')),
    );
    const all = await recorded(server, credential, 7);
    const pages: any[] = [];
    for (let query = 'limit=3', next: string | undefined = ''; next !== undefined; query = `limit=3&cursor=${next}`) {
      const page = await listed(server, credential, query);
      pages.push(page.requests.map(({ id }: { id: string }) => id));
      next = page.continuationToken;
    }
    expect(pages.map(({ length }) => length)).toEqual([3, 3, 1]);
    expect(pages.flat()).toEqual(all.map(({ id }) => id).toReversed());
    const at = (seconds: number) => encodeURIComponent(new Date(began + seconds * 1000).toISOString());
    const counts = async (query: string) => (await listed(server, credential, query)).requests.length;
    expect(await counts(`key=${all[5].key_id}`)).toBe(2);
    expect(await counts(`key=${all[5].key_id}&outcome=invalid_request`)).toBe(1);
    expect(await counts('outcome=answered')).toBe(6);
    expect([await counts('model=cubic'), await counts('model=another')]).toEqual([7, 0]);
    expect([
      await counts(`from=${at(2)}`),
      await counts(`to=${at(2)}`),
      await counts(`from=${at(1)}&to=${at(3)}`),
    ]).toEqual([5, 2, 2]);
    const { continuationToken } = await listed(server, credential, 'limit=1&outcome=answered');
    expect(
      (await listed(server, credential, `limit=1&outcome=answered&cursor=${continuationToken}`)).requests,
    ).toHaveLength(1);
    for (const query of [
      `cursor=${continuationToken}`,
      'cursor=nonsense',
      `from=${at(2)}&to=${at(2)}`,
      'from=2026-02-30T00:00:00Z',
    ])
      expect((await listed(server, credential, query)).error).toMatchObject({
        code: 'invalid_query',
        type: 'invalid_request_error',
      });
  });

  it('is empty by default, and then nothing is written', async () => {
    const { server, account, credential } = await setUp({ CUBBY_AI_LOG_DAYS: '0' });
    await ask(server, credential, 'hello');
    await new Promise((resolve) => setTimeout(resolve, 700));
    expect(await listed(server, credential)).toEqual({ requests: [], kept_days: 0 });
    const before = { at: Number.MAX_SAFE_INTEGER, id: '' };
    const { read } = server.running.app.stores.metadata;
    expect(await read.aiRequests.scan({ accountId: account.id, before, limit: 10 })).toEqual([]);
  });

  it('is forgotten after its days', async () => {
    const { server, account, credential } = await setUp();
    const { metadata, aiRequestsKeptMs } = server.running.app.stores;
    await ask(server, credential, 'old');
    await recorded(server, credential, 1);
    server.clock.advance(29 * dayMs);
    await ask(server, credential, 'new');
    await recorded(server, credential, 2);
    server.clock.advance(dayMs + 1);
    expect((await listed(server, credential)).requests).toHaveLength(1);
    const before = { at: Number.MAX_SAFE_INTEGER, id: '' };
    const rows = () => metadata.read.aiRequests.scan({ accountId: account.id, before, limit: 10 });
    expect(await rows()).toHaveLength(2);
    const job = jobs['forget-ai-requests'];
    expect(await job.run({ metadata, aiRequestsKeptMs } as never, server.clock.now())).toBe(1);
    expect(await rows()).toHaveLength(1);
    expect(await job.run({ metadata, aiRequestsKeptMs: 0 } as never, server.clock.now())).toBe(1);
    expect(await rows()).toEqual([]);
  });
});

describe('AiRequestLog', () => {
  const record = (accountId: string, change: Partial<AiRequestRecord> = {}): AiRequestRecord => ({
    accountId,
    requestId: 'request-1',
    at: 1,
    keyId: 'key_1',
    model: 'cubic',
    operation: 'chat',
    isStreamed: false,
    outcome: 'answered',
    inputTokens: 1,
    outputTokens: 2,
    cost: 0,
    isCached: false,
    durationMs: 1.5,
    firstTokenMs: 0.4,
    attempts: 1,
    leftOut: null,
    ...change,
  });

  it('keeps what the store does not take, up to a limit, and says how much it left out', async () => {
    const stores = await openTestStores();
    const { id } = await stores.account();
    let isDown = true;
    const metadata = {
      ...stores.metadata,
      atomically: ((...given: Parameters<typeof stores.metadata.atomically>) => {
        if (isDown) throw new Error('The disk is broken.');
        return stores.metadata.atomically(...given);
      }) as typeof stores.metadata.atomically,
    };
    const log = new AiRequestLog({ metadata, ids: stores.ids, onWaiting: () => {} });
    for (let noted = 0; noted < maxWaitingRequests + 5; noted++) log.note(record(id));
    await expect(log.store()).rejects.toThrow('The disk is broken.');
    isDown = false;
    // Those of an account that is gone are left out.
    expect(await log.store()).toBe(5);
    expect(await log.store()).toBe(0);
    log.note(record('999999999999999999'));
    log.note(record(id, { at: 2 }));
    await log.store();
    const scan = (limit: number) =>
      stores.metadata.read.aiRequests.scan({ accountId: id, before: { at: Number.MAX_SAFE_INTEGER, id: '' }, limit });
    expect((await scan(maxWaitingRequests + 5)).length).toBe(maxWaitingRequests + 1);
    expect((await scan(1))[0]).toEqual({
      ...record(id, { at: 2 }),
      id: expect.any(String),
      durationMs: 2,
      firstTokenMs: 0,
    });
  });
});
