import { describe, expect, it } from 'vitest';

import { changeAccount } from '#server/domain/account/change-account.ts';
import { ask, until } from '#test/support/chat.ts';
import { numberedUpstreams, startModelsServer } from '#test/support/models.ts';
import type { TestServer } from '#test/support/server.ts';

const untilTomorrowMs = 14.5 * 3_600_000;

/** A token of input costs a millionth, and one of output 5. */
const prices = { input: 1, output: 5 };

async function setUp() {
  const [upstream] = await numberedUpstreams(1);
  upstream!.answer({ text: 'ok', usage: { prompt_tokens: 10, completion_tokens: 2 } });
  const fileOf = (plans: object) => ({
    currency: 'USD',
    models: [
      { name: 'cubic', upstreams: [{ url: upstream!.url }], prices },
      { name: 'free', upstreams: [{ url: upstream!.url, model: 'free' }] },
    ],
    plans,
  });
  const { server, file } = await startModelsServer(fileOf({}));
  const account = await server.account('enterprise');
  const limit = (costPerDay: number | null) =>
    changeAccount(server.running.app.stores, { accountId: account.id, aiLimits: { costPerDay } });
  const limitPlans = (plans: object) => file.write(fileOf(plans));
  return { server, upstream: upstream!, account, credential: account.credential, limit, limitPlans };
}

/** The request costs 20 millionths with this question and answer. */
const small = (more: object = {}) => ({ messages: [{ role: 'user', content: 'hello' }], max_tokens: 2, ...more });

async function usageOf(server: TestServer, credential: string): Promise<any> {
  return (await server.send('/v2/ai/usage', { credential })).json();
}

describe('a limit of the cost of a day', () => {
  it('is announced in millionths where it is the scarcest, but not for a model without prices', async () => {
    const { server, account, credential, limit } = await setUp();
    const t = untilTomorrowMs / 1000;
    const ofCost = async (key: string, more: object = {}) => {
      const { headers } = await ask(server, key, small(more));
      return ['ratelimit', 'ratelimit-policy'].map((name) => /"ai-(?:key-)?cost".*/.exec(headers.get(name)!)?.[0]);
    };
    expect(await ofCost(credential)).toEqual([undefined, undefined]);
    await limit(0.0000605);
    expect(await ofCost(credential)).toEqual([`"ai-cost";r=20;t=${t}`, '"ai-cost";q=60;w=86400']);
    const key = await server.key(account, { scopes: ['ai:chat'], ai: { costPerDay: 0.00003 } });
    expect(await ofCost(key)).toEqual([`"ai-cost";r=0;t=${t}`, '"ai-cost";q=60;w=86400']);
    await limit(null);
    expect(await ofCost(key)).toEqual([`"ai-key-cost";r=10;t=${t}`, '"ai-key-cost";q=30;w=86400']);
    await limit(0.00006);
    expect(await ofCost(credential)).toEqual([`"ai-cost";r=0;t=${t}`, '"ai-cost";q=60;w=86400']);
    expect(await ofCost(credential, { model: 'free' })).toEqual([undefined, undefined]);
  });

  it('rejects requests of the account until midnight, but none to a model without prices', async () => {
    const { server, account, credential, limit } = await setUp();
    await limit(0.00006);
    expect((await ask(server, credential, small())).status).toBe(200);
    expect((await ask(server, credential, small())).status).toBe(200);
    const { cost, currency } = await usageOf(server, credential);
    expect({ cost, currency }).toEqual({
      cost: { used: 0.00004, limit: 0.00006, resets_at: '2026-04-22T00:00:00.000Z' },
      currency: 'USD',
    });
    expect((await ask(server, credential, small())).status).toBe(200);
    const refused = await ask(server, credential, small());
    expect([refused.status, refused.json().error.code]).toEqual([429, 'daily_cost_limit_reached']);
    expect([refused.headers.get('retry-after'), refused.headers.get('x-should-retry')]).toEqual([
      String(untilTomorrowMs / 1000),
      'false',
    ]);
    expect((await ask(server, credential, small({ model: 'free' }))).status).toBe(200);
    const { events } = (await server.send('/v1/events?limit=1000', { credential })).json().response;
    const told = events.filter(({ type }: any) => type === 'ai.budget_reached').map(({ data }: any) => data);
    expect(told).toMatchObject([{ percent: 100, budget: 'daily_cost', limit: 0.00006, used: 0.00006 }]);
    await limit(null);
    expect((await ask(server, credential, small())).status).toBe(200);
    await limit(0.00006);
    server.clock.advance(untilTomorrowMs);
    expect((await ask(server, credential, small())).status).toBe(200);
    expect((await usageOf(server, account.credential)).cost.used).toBe(0.00002);
  });

  it('rejects requests of a key alone, shows what it has used, and is in the activity', async () => {
    const { server, account, credential } = await setUp();
    const post = (path: string, body: object, method = 'POST') =>
      server.send(path, { method, credential, body: JSON.stringify(body) });
    const created = await post('/v1/account/keys', { name: 'a', scopes: ['ai:chat'], ai: { cost_per_day: 0.00003 } });
    const { id, key } = created.json().response;
    expect((await ask(server, key, small())).status).toBe(200);
    const refused = await ask(server, key, small());
    expect([refused.status, refused.json().error.code, refused.headers.get('x-should-retry')]).toEqual([
      429,
      'key_daily_cost_limit_reached',
      'false',
    ]);
    expect((await ask(server, credential, small())).status).toBe(200);
    expect((await usageOf(server, key)).key.cost).toMatchObject({ used: 0.00002, limit: 0.00003 });
    const { activity } = (await server.send('/v1/account/activity?limit=100', { credential })).json().response;
    expect(activity.find(({ type }: any) => type === 'key.ai_limit_reached').details).toEqual({
      ...{ key: id, name: 'a' },
      ...{ limit: 'cost_per_day', value: 0.00003 },
    });
    const changed = await post(`/v1/account/keys/${id}`, { ai: { cost_per_day: null } }, 'PATCH');
    expect(changed.json().response).not.toHaveProperty('ai');
    expect((await ask(server, key, small())).status).toBe(200);
    expect(account.id).toBeDefined();
  });

  it('shortens an answer near its end', async () => {
    const { server, upstream, credential, limit } = await setUp();
    await limit(0.0001);
    expect((await ask(server, credential, small({ max_tokens: 500 }))).status).toBe(200);
    const { max_tokens: most } = upstream.requests[0]!.body as { max_tokens: number };
    expect(most).toBeGreaterThan(10);
    expect(most).toBeLessThan(20);
  });

  it('is that of the plan in the file of models, unless the account has its own', async () => {
    const { server, credential, limit, limitPlans } = await setUp();
    const limitOf = async () => (await usageOf(server, credential)).cost.limit;
    expect(await limitOf()).toBeNull();
    limitPlans({ enterprise: { cost_per_day: 2.5 } });
    await until(async () => (await limitOf()) === 2.5);
    await limit(0.75);
    expect(await limitOf()).toBe(0.75);
  });

  it('holds for 32 parallel requests together', async () => {
    const { server, credential, limit } = await setUp();
    await limit(0.0005);
    const answers = await Promise.all(Array.from({ length: 32 }, () => ask(server, credential, small())));
    const codes = answers.filter(({ status }) => status !== 200).map((one) => one.json().error.code);
    expect(codes.length).toBeGreaterThan(0);
    expect(codes.every((code) => ['daily_cost_limit_reached', 'concurrent_limit_reached'].includes(code))).toBe(true);
    const { used } = (await usageOf(server, credential)).cost;
    expect(used).toBeCloseTo(0.00002 * (32 - codes.length), 12);
    expect(used).toBeLessThanOrEqual(0.0005);
  });
});
