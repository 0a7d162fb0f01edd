import { describe, expect, it } from 'vitest';

import { ask, askForStream, spentToday, startChatServer } from '#test/support/chat.ts';
import type { TestServer } from '#test/support/server.ts';

const env = { CUBBY_AI_EMBEDDINGS_MODEL: 'nomic-embed', CUBBY_AI_STREAMING: 'on' };
const keysPath = '/v1/account/keys';

/** 09:30 on Tuesday, 21 April 2026: the seconds until midnight. */
const untilTomorrow = 14.5 * 3600;

function embed(server: TestServer, credential: string) {
  return server.send('/v2/ai/embeddings', {
    method: 'POST',
    credential,
    body: JSON.stringify({ input: 'A text of some tokens.' }),
  });
}

async function setUp(more: Record<string, string> = {}) {
  const setup = await startChatServer({ env: { ...env, ...more } });
  const { server } = setup;
  const { id, credential } = await server.account('enterprise');
  const send = (path: string, method: string, body?: object) =>
    server.send(path, { method, credential, ...(body && { body: JSON.stringify(body) }) });
  /** Creates a key over the API. */
  const newKey = async (ai: object | undefined, name = 'Assistant', scopes = ['ai:chat']) =>
    (await send(keysPath, 'POST', { name, scopes, ...(ai && { ai }) })).json().response;
  return { ...setup, id, credential, send, newKey };
}

describe('a key', () => {
  it('has limits from its creation on, shows them, and keeps them with a new secret', async () => {
    const { send, newKey } = await setUp();
    const ai = {
      requests_per_minute: 3,
      requests_per_day: 9,
      tokens_per_day: 1000,
      spend_per_day: 2000,
      cost_per_day: 2.5,
      models: ['cubic'],
    };
    const key = await newKey(ai);
    expect(key.ai).toEqual(ai);
    const listed = async () => (await send(keysPath, 'GET')).json().response.keys.find(({ id }: any) => id === key.id);
    expect((await listed()).ai).toEqual(ai);
    expect((await send(`${keysPath}/${key.id}/regenerate`, 'POST')).json().response.ai).toEqual(ai);
    expect(await newKey(undefined)).not.toHaveProperty('ai');
  });

  it('gets other limits, loses one by null, and all of them by null in place of all', async () => {
    const { server, id, send, newKey } = await setUp();
    const key = await newKey({ tokens_per_day: 1000 });
    const path = `${keysPath}/${key.id}`;
    const change = async (ai: object | null) => (await send(path, 'PATCH', { ai })).json().response.ai;
    expect(await change({ requests_per_day: 5, models: ['cubic', 'cubic'] })).toEqual({
      requests_per_day: 5,
      tokens_per_day: 1000,
      models: ['cubic'],
    });
    expect(await change({ tokens_per_day: null, models: null })).toEqual({ requests_per_day: 5 });
    expect(await change({ requests_per_day: 5 })).toEqual({ requests_per_day: 5 });
    expect(await change(null)).toBeUndefined();

    const { activity } = (await send('/v1/account/activity?limit=100', 'GET')).json().response;
    const updates = activity.filter(({ type }: any) => type === 'key.updated');
    expect(updates.map(({ details }: any) => details.ai)).toEqual([
      null,
      { requests_per_day: 5 },
      { requests_per_day: 5, tokens_per_day: 1000, models: ['cubic'] },
    ]);
    const { events } = (await send('/v1/events?limit=1000', 'GET')).json().response;
    expect(events.filter(({ type }: any) => type === 'key.updated')).toHaveLength(3);
    const audited = await server.running.app.stores.metadata.read.audit.scan({ after: 0, limit: 100 });
    const changes = audited.filter(({ action }) => action === 'key.ai_limits_changed');
    expect(changes.map(({ accountId, subject }) => [accountId, subject])).toEqual(Array(3).fill([id, key.id]));
  });

  it('is limited to models that exist, at every door', async () => {
    const { server, send, newKey, id } = await setUp();
    const key = await newKey({ models: ['cubic', 'cubic-embeddings'] });
    const message = '`ai.models` must name models of this server: cubic, cubic-embeddings. Got "cubik".';
    const refused = { code: 'INVALID_AI_LIMITS', message };
    const wishes = { name: 'Assistant', scopes: ['ai:chat'], ai: { models: ['cubic', 'cubik'] } };
    expect((await send(keysPath, 'POST', wishes)).json()).toMatchObject(refused);
    expect((await send(`${keysPath}/${key.id}`, 'PATCH', { ai: wishes.ai })).json()).toMatchObject(refused);
    const operatorKey = await server.operatorKey();
    const operate = (method: string, path: string, body: object) =>
      server.send(path, { door: 'operator', method, credential: operatorKey, body: JSON.stringify(body) });
    const made = await operate('POST', `/v2/operator/accounts/${id}/keys`, wishes);
    expect(made.json()).toMatchObject(refused);
    const changed = await operate('PATCH', `/v2/operator/keys/${key.id}`, { ai: wishes.ai });
    expect(changed.json()).toMatchObject(refused);
  });

  it('is changed by a key with all scopes alone, and only within its account', async () => {
    const { server, send, newKey } = await setUp();
    const key = await newKey({ requests_per_day: 1 });
    const body = JSON.stringify({ ai: null });
    const path = `${keysPath}/${key.id}`;
    const own = await server.send(path, { method: 'PATCH', credential: key.key, body });
    expect([own.status, own.json().code]).toEqual([403, 'MISSING_SCOPE']);
    const stranger = await server.account('enterprise');
    const theirs = await server.send(path, { method: 'PATCH', credential: stranger.credential, body });
    expect([theirs.status, theirs.json().code]).toEqual([404, 'APIKEY_NOT_FOUND']);
    expect((await send(path, 'PATCH', { ai: { models: [] } })).json().code).toBe('INVALID_AI_LIMITS');
    expect((await send(path, 'PATCH', { ai: {} })).json().code).toBe('INVALID_AI_LIMITS');
    const { keys } = (await send(keysPath, 'GET')).json().response;
    expect(keys.find(({ id }: any) => id === key.id).ai).toEqual({ requests_per_day: 1 });
  });

  it('uses only its models, and sees only those', async () => {
    const { server, upstream, newKey } = await setUp();
    const { key } = await newKey({ models: ['cubic-embeddings'] });
    const models = (await server.send('/v2/ai/models', { credential: key })).json().data;
    expect(models.map(({ id }: any) => id)).toEqual(['cubic-embeddings']);
    expect((await server.send('/v2/ai/models/cubic', { credential: key })).status).toBe(404);
    expect((await embed(server, key)).status).toBe(200);
    const chat = await ask(server, key, 'hello');
    expect([chat.status, chat.json().error.code, chat.json().error.type]).toEqual([
      403,
      'model_not_allowed',
      'permission_error',
    ]);
    expect((await ask(server, key, { stream: true, messages: [{ role: 'user', content: 'a' }] })).status).toBe(403);
    expect(upstream.requests).toHaveLength(1);
  });

  it('is rejected with codes of its own, while another key of the account goes on', async () => {
    const { server, upstream, credential, send, newKey } = await setUp();
    upstream.answer({ text: 'ok', usage: { prompt_tokens: 60, completion_tokens: 10 } });
    const cases = [
      [{ requests_per_minute: 1 }, 'key_rate_limit_exceeded', '60', null],
      [{ requests_per_day: 1 }, 'key_daily_request_limit_reached', String(untilTomorrow), 'false'],
      [{ tokens_per_day: 75 }, 'key_daily_limit_reached', String(untilTomorrow), 'false'],
      [{ spend_per_day: 105 }, 'key_daily_spend_limit_reached', String(untilTomorrow), 'false'],
    ] as const;
    for (const [ai, code, retryAfter, shouldRetry] of cases) {
      const { id, key } = await newKey(ai, code);
      expect((await ask(server, key, 'hello')).status).toBe(200);
      for (let again = 0; again < 2; again++) {
        const refused = await ask(server, key, 'hello');
        expect([refused.status, refused.json().error.code, refused.headers.get('retry-after')]).toEqual([
          429,
          code,
          retryAfter,
        ]);
        expect(refused.headers.get('x-should-retry')).toBe(shouldRetry);
      }
      expect((await ask(server, credential, 'hello')).status).toBe(200);
      const { activity } = (await send('/v1/account/activity?limit=100', 'GET')).json().response;
      const told = activity.filter(({ type, details }: any) => type === 'key.ai_limit_reached' && details.key === id);
      const [limit, value] = Object.entries(ai)[0]!;
      expect(told.map(({ details }: any) => details)).toEqual(
        limit === 'requests_per_minute' ? [] : [{ key: id, name: code, limit, value }],
      );
      await send(`${keysPath}/${id}`, 'DELETE');
    }
  });

  it('gets its requests back at the next minute and the next day, and survives a change of its limit', async () => {
    const { server, send, newKey } = await setUp();
    const { id, key } = await newKey({ requests_per_minute: 1, requests_per_day: 2 });
    const codeOf = async () => (await ask(server, key, 'hello')).json().error?.code;
    expect([await codeOf(), await codeOf()]).toEqual([undefined, 'key_rate_limit_exceeded']);
    server.clock.advance(60_000);
    expect([await codeOf(), await codeOf()]).toEqual([undefined, 'key_rate_limit_exceeded']);
    server.clock.advance(60_000);
    expect(await codeOf()).toBe('key_daily_request_limit_reached');
    await send(`${keysPath}/${id}`, 'PATCH', { ai: { requests_per_day: 3 } });
    expect(await codeOf()).toBeUndefined();
    server.clock.advance(untilTomorrow * 1000);
    expect(await codeOf()).toBeUndefined();
  });

  it('never gets more than its plan', async () => {
    const { server } = await startChatServer();
    const { credential } = await server.account('standard');
    const body = JSON.stringify({ name: 'k', scopes: ['ai:chat'], ai: { requests_per_minute: 1_000_000 } });
    const { key } = (await server.send(keysPath, { method: 'POST', credential, body })).json().response;
    expect((await ask(server, key, 'hello')).status).toBe(200);
    expect((await ask(server, key, 'hello')).json().error.code).toBe('rate_limit_exceeded');
  });
});

// What is charged here is at most what was reserved: a model's server may also count more.
describe('the usage of the AI gateway', () => {
  it("of each day, key and model adds up to the account's charge, for 64 parallel requests of each form", async () => {
    for (const queue of ['0', '20000']) {
      // All 64 may wait.
      const { server, upstream, credential, newKey } = await setUp({
        CUBBY_AI_QUEUE_MS: queue,
        CUBBY_BODY_MEMORY: '1GiB',
      });
      upstream.answer({ text: 'ok', usage: { prompt_tokens: 5, completion_tokens: 5 } });
      const limited = await newKey({ requests_per_day: 7 }, 'limited');
      const tokens = await newKey({ tokens_per_day: 100 }, 'tokens');
      const minute = await newKey({ requests_per_minute: 6 }, 'minute');
      const free = await newKey(undefined, 'free');
      const keys = [limited, tokens, minute, free];
      const answers = await Promise.all(
        Array.from({ length: 64 }, (_, n) => {
          const { key } = keys[n % 4];
          const form = Math.floor(n / 4) % 3;
          if (form === 0) return ask(server, key, { max_tokens: 5, messages: [{ role: 'user', content: 'hello' }] });
          if (form === 1) return embed(server, key);
          return ask(server, key, { stream: true, max_tokens: 5, messages: [{ role: 'user', content: 'hello' }] });
        }),
      );
      const answered = answers.filter(({ status }) => status === 200).length;
      const history = (await server.send('/v2/ai/usage/history?group_by=day,key,model', { credential })).json();
      const sumOf = (of: string, name?: string) =>
        history.data
          .filter(({ key_name }: any) => name === undefined || key_name === name)
          .reduce((sum: number, group: any) => sum + group[of], 0);
      const spent = await spentToday(server, credential);
      expect(spent.requests).toBe(answered);
      expect([sumOf('requests'), sumOf('input_tokens') + sumOf('output_tokens'), sumOf('spend')]).toEqual([
        spent.requests,
        spent.tokens,
        spent.spend,
      ]);
      expect(sumOf('requests', 'limited')).toBeLessThanOrEqual(7);
      expect(sumOf('requests', 'minute')).toBeLessThanOrEqual(6);
      expect(sumOf('input_tokens', 'tokens') + sumOf('output_tokens', 'tokens')).toBeLessThanOrEqual(100);
      if (queue !== '0') {
        // Nobody was rejected because others ran: every request had its turn, up to the limits of its key.
        expect([sumOf('requests', 'limited'), sumOf('requests', 'minute'), sumOf('requests', 'free')]).toEqual([
          7, 6, 16,
        ]);
        const codes = new Set(answers.filter(({ status }) => status !== 200).map((one) => one.json().error.code));
        expect([...codes].every((code) => code.startsWith('key_'))).toBe(true);
      }
      await server.stop();
    }
  });

  it('is listed by groups, days and pages, and a key without the right sees only its own', async () => {
    const { server, upstream, credential, newKey } = await setUp();
    upstream.answer({ text: 'ok', usage: { prompt_tokens: 20, completion_tokens: 5 } });
    const one = await newKey(undefined, 'one');
    const other = await newKey(undefined, 'other', ['ai:chat', 'account:read']);
    await ask(server, one.key, 'hello');
    server.clock.advance(86_400_000);
    await ask(server, one.key, 'hello');
    await ask(server, other.key, 'hello');
    const history = async (query: string, key = credential) =>
      (await server.send(`/v2/ai/usage/history${query}`, { credential: key })).json();
    const counts = { requests: 1, input_tokens: 20, output_tokens: 5, spend: 40, cost: 0, cached_requests: 0 };
    expect(await history('')).toEqual({
      from: '2026-03-24',
      to: '2026-04-22',
      data: [
        { day: '2026-04-21', ...counts },
        { day: '2026-04-22', ...counts, requests: 2, input_tokens: 40, output_tokens: 10, spend: 80 },
      ],
      has_more: false,
    });
    const byKey = '?from=2026-04-22&to=2026-04-22&group_by=key,model';
    const rows = (await history(byKey)).data;
    expect(rows).toEqual(
      [one, other]
        .toSorted((a, b) => (a.id < b.id ? -1 : 1))
        .map(({ id, name }) => ({ key_id: id, key_name: name, model: 'cubic', ...counts })),
    );
    expect(await history(`${byKey}&limit=1`)).toMatchObject({ data: [rows[0]], has_more: true });
    expect(await history(`${byKey}&limit=1&page=2`)).toMatchObject({ data: [rows[1]], has_more: false });
    expect((await history(byKey, other.key)).data).toEqual(rows);
    expect((await history('?group_by=key', one.key)).data).toEqual([
      expect.objectContaining({ key_id: one.id, requests: 2 }),
    ]);
    for (const bad of [
      '?from=2026-04-22&to=2026-04-21',
      '?from=2026-02-30',
      '?to=0000-01-05',
      '?from=2024-01-01',
      '?group_by=day,day',
      '?group_by=hour',
      '?limit=0',
    ])
      expect([bad, (await history(bad)).error.code]).toEqual([bad, 'invalid_query']);
  });

  it('shows a key with limits what it has used of them', async () => {
    const { server, upstream, newKey } = await setUp();
    upstream.answer({ text: 'ok', usage: { prompt_tokens: 20, completion_tokens: 5 } });
    const { key } = await newKey({ tokens_per_day: 1000, models: ['cubic'] });
    await ask(server, key, 'hello');
    const resets_at = '2026-04-22T00:00:00.000Z';
    expect((await server.send('/v2/ai/usage', { credential: key })).json().key).toEqual({
      requests: { used: 1, limit: null, resets_at },
      tokens: { used: 25, limit: 1000, resets_at },
      spend: { used: 40, limit: null, resets_at },
      cost: { used: 0, limit: null, resets_at },
      minute: { used: 1, limit: null, resets_at: '2026-04-21T09:31:00.000Z' },
      models: ['cubic'],
    });
  });
});

describe('the headers of the AI gateway', () => {
  it('announce the scarcest limits behind those of the account, also of streams, embeddings and refusals', async () => {
    const { server, upstream, newKey } = await setUp({ CUBBY_RATE_LIMITS: 'on' });
    upstream.answer({ text: 'ok', usage: { prompt_tokens: 20, completion_tokens: 5 } });
    const { key } = await newKey({ requests_per_day: 3, tokens_per_day: 1000 });
    const first = await ask(server, key, 'hello');
    expect(first.headers.get('ratelimit')).toMatch(
      new RegExp(
        `^"account";r=\\d+;t=\\d+, "ai-key-requests";r=2;t=${untilTomorrow}, "ai-key-tokens";r=975;t=${untilTomorrow}$`,
      ),
    );
    expect(first.headers.get('ratelimit-policy')).toMatch(
      /, "ai-key-requests";q=3;w=86400, "ai-key-tokens";q=1000;w=86400$/,
    );
    const ofClients = ['limit', 'remaining', 'reset'].flatMap((name) =>
      ['requests', 'tokens'].map((kind) => first.headers.get(`x-ratelimit-${name}-${kind}`)),
    );
    expect(ofClients).toEqual(['3', '1000', '2', '975', '14h30m0s', '14h30m0s']);
    // A stream announces what its reservation leaves.
    const stream = await askForStream(server, key, { max_tokens: 50, messages: [{ role: 'user', content: 'hello' }] });
    expect(stream.headers.get('x-ratelimit-remaining-requests')).toBe('1');
    const left = Number(stream.headers.get('x-ratelimit-remaining-tokens'));
    expect([left < 975 - 50, left > 850]).toEqual([true, true]);
    const embedded = await embed(server, key);
    expect(embedded.headers.get('ratelimit')).toContain('"ai-key-requests";r=0;');
    const refused = await ask(server, key, 'hello');
    expect(refused.status).toBe(429);
    expect(refused.headers.get('ratelimit')).toContain('"ai-key-requests";r=0;');
  });

  it("announce the plan's budgets for a key without limits, without the account limit when that is off", async () => {
    const { server, upstream } = await startChatServer({ rateLimits: false });
    upstream.answer({ text: 'ok', usage: { prompt_tokens: 20, completion_tokens: 5 } });
    const { credential } = await server.account('standard');
    const answer = await ask(server, credential, 'hello');
    expect(answer.headers.get('ratelimit')).toBe(
      `"ai-requests";r=999;t=${untilTomorrow}, "ai-spend";r=2999960;t=${untilTomorrow}`,
    );
  });
});
