import { describe, expect, it, onTestFinished } from 'vitest';

import { schemaChecker } from '#mocks/schema-check.ts';
import { spawnServer } from '#test/faults/spawned-server.ts';
import { someUpstream } from '#test/support/chat-model.ts';
import { contract } from '#test/support/contract.ts';
import { ask, completionsPath, spentToday, startChatServer, until } from '#test/support/chat.ts';
import { startTestServer } from '#test/support/server.ts';
import { changeAccount } from '#server/domain/account/change-account.ts';

/** The tests' clock stands at 09:30 on Tuesday, 21 April 2026. */
const untilTomorrowMs = 14.5 * 3_600_000;

function complete(api: string, credential: string): Promise<Response> {
  return fetch(api + completionsPath, {
    method: 'POST',
    headers: { authorization: credential },
    body: JSON.stringify({ messages: [{ role: 'user', content: 'hello' }] }),
  });
}

describe('the limits of the AI gateway', () => {
  it('apply even with CUBBY_RATE_LIMITS=off: one request at a time, and a pause between two', async () => {
    const { server, upstream } = await startChatServer({ rateLimits: false });
    const { credential } = await server.account('pro');
    const refused = Promise.withResolvers<void>();
    upstream.answer({ text: 'At last.', after: refused.promise });
    const first = ask(server, credential, 'hello');
    await until(() => upstream.requests.length === 1);
    const second = await ask(server, credential, 'hello');
    expect([second.status, second.headers.get('retry-after'), second.json().error.code]).toEqual([
      429,
      '1',
      'concurrent_limit_reached',
    ]);
    refused.resolve();
    expect((await first).status).toBe(200);
    const third = await ask(server, credential, 'hello');
    expect([
      third.status,
      third.headers.get('retry-after'),
      third.headers.get('x-should-retry'),
      third.json().error.code,
    ]).toEqual([429, '2', null, 'rate_limit_exceeded']);
    server.clock.advance(2000);
    expect((await ask(server, credential, 'hello')).status).toBe(200);
    expect(upstream.requests).toHaveLength(2);
  });

  it('allow exactly as many of 64 parallel requests as fit', async () => {
    const { server, upstream } = await startChatServer({ env: { CUBBY_AI_MAX_CONCURRENT: '7' } });
    upstream.answer({ text: 'ok', delayMs: 400 });
    const accounts = await Promise.all(Array.from({ length: 16 }, () => server.account('enterprise')));
    const answers = await Promise.all(
      Array.from({ length: 64 }, (_, n) => ask(server, accounts[n % accounts.length]!.credential, 'hello')),
    );
    const outcomes = answers.map((answer) => (answer.status === 200 ? 'answered' : answer.json().error.code));
    // Requests that arrive after the first ones have ended fit into the limits again.
    expect(outcomes.filter((outcome) => outcome === 'answered').length).toBeGreaterThanOrEqual(7);
    expect(new Set(outcomes)).toEqual(
      new Set(['answered', 'concurrent_limit_reached', 'server_overloaded'].filter((code) => outcomes.includes(code))),
    );
    expect(upstream.requests).toHaveLength(outcomes.filter((outcome) => outcome === 'answered').length);
    const spent = await Promise.all(accounts.map(({ credential }) => spentToday(server, credential)));
    expect(spent.reduce((sum, { requests }) => sum + requests, 0)).toBe(upstream.requests.length);
  });

  it('of a day last until midnight UTC, tell clients not to retry, and survive a restart', async () => {
    const { server, upstream } = await startChatServer();
    const { id, credential } = await server.account('enterprise');
    await changeAccount(server.running.app.stores, { accountId: id, aiTokensPerDay: 1000 });
    // These requests stay below the fair use of 1,500.
    upstream.answer({ text: 'All of it.', usage: { prompt_tokens: 960, completion_tokens: 40 } });
    expect((await ask(server, credential, 'hello')).status).toBe(200);
    await server.running.stop();

    const again = await startTestServer({
      dataDir: server.dataDir,
      clock: server.clock,
      env: { CUBBY_AI_UPSTREAM_URL: upstream.url },
    });
    const refused = await ask(again, credential, 'hello');
    expect([refused.status, refused.json().error.code, refused.headers.get('x-should-retry')]).toEqual([
      429,
      'daily_limit_reached',
      'false',
    ]);
    expect(refused.headers.get('retry-after')).toBe(String(untilTomorrowMs / 1000));
    again.clock.advance(untilTomorrowMs);
    expect((await ask(again, credential, 'hello')).status).toBe(200);
    expect(upstream.requests).toHaveLength(2);
    expect(await spentToday(again, credential)).toEqual({ requests: 1, tokens: 1000, spend: 960 + 4 * 40 });
  });

  it('tell once of a budget that is used up, and of one that another request does not fit into', async () => {
    const { server, upstream } = await startChatServer();
    const { id, credential } = await server.account('enterprise');
    await changeAccount(server.running.app.stores, { accountId: id, aiTokensPerDay: 1000 });
    const told = async () => {
      const { events } = (await server.send('/v1/events?limit=1000', { credential })).json().response;
      const ofBudgets = events.filter(({ type }: { type: string }) => type === 'ai.budget_reached');
      const { schema } = contract.webhooks['ai.budget_reached'].post.requestBody.content['application/json'];
      for (const event of ofBudgets) expect(schemaChecker(contract)(schema)(event)).toEqual([]);
      return ofBudgets.map(({ data }: { data: object }) => data);
    };
    const day = { starts_at: '2026-04-21T00:00:00.000Z', resets_at: '2026-04-22T00:00:00.000Z' };
    upstream.answer({ text: 'Nearly all of it.', usage: { prompt_tokens: 970, completion_tokens: 28 } });
    expect((await ask(server, credential, 'hello')).status).toBe(200);
    const warned = { percent: 80, budget: 'daily_tokens', limit: 1000, used: 998, ...day };
    expect(await told()).toEqual([warned]);
    const refused = await Promise.all(Array.from({ length: 8 }, () => ask(server, credential, 'hello')));
    expect(new Set(refused.map(({ status }) => status))).toEqual(new Set([429]));
    const first = { ...warned, percent: 100 };
    expect(await told()).toEqual([warned, first]);

    await changeAccount(server.running.app.stores, { accountId: id, aiTokensPerDay: 1200 });
    upstream.answer({ text: 'The rest.', usage: { prompt_tokens: 160, completion_tokens: 42 } });
    expect((await ask(server, credential, 'hello')).status).toBe(200);
    const second = { percent: 100, budget: 'daily_tokens', limit: 1200, used: 1200, ...day };
    expect(await told()).toEqual([warned, first, second]);
    expect((await ask(server, credential, 'hello')).json().error.code).toBe('daily_limit_reached');
    expect(await told()).toEqual([warned, first, second]);
  });

  it('are not charged for rejected or failed requests', async () => {
    const { server, upstream } = await startChatServer();
    const { credential } = await server.account('pro');
    upstream.answer({ status: 400, body: { error: { message: 'No.' } } });
    expect((await ask(server, credential, 'hello')).status).toBe(400);
    expect((await ask(server, credential, { messages: [] })).status).toBe(400);
    upstream.answer({ text: 'ok', usage: { prompt_tokens: 3, completion_tokens: 2 } });
    expect((await ask(server, credential, 'hello')).status).toBe(200);
    expect(await spentToday(server, credential)).toEqual({ requests: 1, tokens: 5, spend: 11 });
  });

  it('drop the reservations of a killed server', async () => {
    const upstream = await someUpstream();
    upstream.answer('silent', { text: 'At last.' });
    const env = { CUBBY_AI_UPSTREAM_URL: upstream.url };
    const cutOff = await spawnServer({ env });
    onTestFinished(() => cutOff.remove());
    const { credential } = await cutOff.account('pro');
    void complete(cutOff.urls.api, credential).catch(() => {});
    await until(() => upstream.requests.length === 1);
    expect((await complete(cutOff.urls.api, credential)).status).toBe(429);
    await cutOff.kill();

    const again = await startTestServer({ dataDir: cutOff.dataDir, env });
    // Several servers over one database wait for the end of its lease.
    await expect.poll(async () => (await complete(again.running.urls.api, credential)).status).toBe(200);
    expect(await spentToday(again, credential)).toMatchObject({ requests: 1 });
  });
});

describe('usage and models', () => {
  it('can be read for free, but require the Standard plan', async () => {
    const { server } = await startChatServer();
    const { credential } = await server.account('standard');
    expect((await server.send('/v2/ai/models', { credential })).json()).toEqual({
      object: 'list',
      data: [{ id: 'cubic', object: 'model', created: 1_767_225_600, owned_by: 'cubby' }],
    });
    const resets = { today: '2026-04-22T00:00:00.000Z', week: '2026-04-27T00:00:00.000Z' };
    const unused = (today: number | null, week: number | null) => ({
      today: { used: 0, limit: today, resets_at: resets.today },
      week: { used: 0, limit: week, resets_at: resets.week },
    });
    for (let n = 0; n < 2; n++) {
      expect((await server.send('/v2/ai/usage', { credential })).json()).toEqual({
        requests: unused(1000, null),
        tokens: unused(2_500_000, 10_000_000),
        spend: unused(3_000_000, null),
        cost: { used: 0, limit: null, resets_at: resets.today },
        limits: {
          ...{ context_tokens: 16_384, output_tokens: 4096, concurrent: 1, pacing_seconds: 5 },
          ...{ tools: 128, messages: 2000, chat_tools: 32, chat_messages: 100 },
        },
      });
    }
    const hobby = await server.account('hobby');
    for (const path of ['/v2/ai/models', '/v2/ai/usage']) {
      const refused = await server.send(path, { credential: hobby.credential });
      expect([refused.status, refused.json().error.code]).toEqual([403, 'upgrade_required']);
    }
  });
});
