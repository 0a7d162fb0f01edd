import { describe, expect, it } from 'vitest';

import { ask, askForStream, until } from '#test/support/chat.ts';
import { numberedUpstreams, startModelsServer } from '#test/support/models.ts';
import type { TestServer } from '#test/support/server.ts';

const env = {
  CUBBY_AI_LOG_DAYS: '30',
  CUBBY_AI_CACHE_SECONDS: '60',
};
const usage = {
  prompt_tokens: 100,
  completion_tokens: 20,
  prompt_tokens_details: { cached_tokens: 40 },
};
/** Of a request with this usage: 60 × 0.15, 40 × 0.075 and 20 × 0.6, each for a million. */
const cost = 0.000024;

async function setUp() {
  const [upstream] = await numberedUpstreams(1);
  upstream!.answer({ text: 'A mark of one version.', usage });
  const free = { name: 'free', upstreams: [{ url: upstream!.url, model: 'free' }] };
  const fileOf = (input: number) => ({
    currency: 'USD',
    models: [
      { name: 'cubic', upstreams: [{ url: upstream!.url }], prices: { input, cached_input: 0.075, output: 0.6 } },
      free,
    ],
    embeddings: { prices: { input: 0.02 } },
  });
  const { server, file, credential } = await startModelsServer(fileOf(0.15), {
    env: { ...env, CUBBY_AI_EMBEDDINGS_URL: upstream!.url, CUBBY_AI_EMBEDDINGS_MODEL: 'nomic-embed' },
  });
  const reprice = (input: number) => file.write(fileOf(input));
  return { server, upstream: upstream!, credential, file, reprice };
}

async function costsByModel(server: TestServer, credential: string): Promise<unknown> {
  const history = (await server.send('/v2/ai/usage/history?group_by=model', { credential })).json();
  expect(history.currency).toBe('USD');
  return Object.fromEntries(history.data.map((one: any) => [one.model, one.cost]));
}

describe('the cost of requests', () => {
  it('is shown by model, by request, in the log and in the metrics. Answers from the cache cost nothing', async () => {
    const { server, credential } = await setUp();
    const question = { messages: [{ role: 'user', content: 'hello' }], temperature: 0 };
    const post = (path: string, body: object) =>
      server.send(path, { method: 'POST', credential, body: JSON.stringify(body) });
    const requests = [
      () => ask(server, credential, question),
      () => ask(server, credential, question),
      () => askForStream(server, credential, 'hello'),
      () => post('/v2/ai/messages', { model: 'free', messages: [{ role: 'user', content: 'hello' }] }),
      () => post('/v2/ai/embeddings', { input: ['a', 'b'] }),
    ];
    for (const request of requests) {
      expect((await request()).status).toBe(200);
      server.clock.advance(1000);
    }
    // The embeddings are 8 tokens.
    const embedded = 0.00000016;
    expect(await costsByModel(server, credential)).toEqual({
      cubic: 2 * cost,
      'cubic-embeddings': embedded,
      free: 0,
    });
    const listed = async () => (await server.send('/v2/ai/requests', { credential })).json();
    await expect.poll(async () => (await listed()).requests.length).toBe(5);
    expect((await listed()).currency).toBe('USD');
    expect((await listed()).requests.map((one: any) => one.cost)).toEqual([embedded, 0, cost, 0, cost]);
    const metrics = (await server.send('/metrics', { door: 'operator' })).body.toString();
    expect(metrics).toContain(`cubby_ai_cost_total{model="cubic"} ${2 * cost}\n`);
    expect(metrics).not.toContain('cubby_ai_cost_total{model="free"}');
    const lines = server.log.filter(
      ({ operation, model }) => operation === 'createChatCompletion' && model === 'cubic',
    );
    expect(lines.map((line) => line.cost)).toEqual([cost, 0, cost]);
  });

  it('of a request whose client goes away is that of the tokens that it is charged', async () => {
    const { server, upstream, credential } = await setUp();
    upstream.answer('silent');
    const gone = new AbortController();
    const asking = ask(server, credential, 'hello', gone.signal);
    await until(() => upstream.requests.length === 1);
    gone.abort();
    await expect(asking).rejects.toThrow();
    await until(async () => (await server.send('/v2/ai/usage', { credential })).json().requests.today.used === 1);
    // "hello" is one token.
    expect(await costsByModel(server, credential)).toEqual({ cubic: 0.00000015 });
  });

  it('keeps the prices with which it began. New prices change nothing that was charged', async () => {
    const { server, upstream, credential, reprice } = await setUp();
    await ask(server, credential, 'hello');
    expect(await costsByModel(server, credential)).toEqual({ cubic: cost });
    let answer = () => {};
    const answered = new Promise<void>((resolve) => (answer = resolve));
    upstream.answer({
      pieces: (async function* () {
        yield 'data: {"choices":[{"delta":{"content":"A"}}]}\n\n';
        await answered;
        yield `data: {"choices":[{"delta":{},"finish_reason":"stop"}],"usage":${JSON.stringify(usage)}}\n\n`;
        yield 'data: [DONE]\n\n';
      })(),
    });
    server.clock.advance(10_000);
    const running = askForStream(server, credential, 'hello');
    await until(() => upstream.requests.length === 2);
    reprice(1);
    await until(() => server.log.some(({ message }) => message === 'the models of the AI gateway have changed'));
    answer();
    expect((await running).status).toBe(200);
    expect(await costsByModel(server, credential)).toEqual({ cubic: 2 * cost });
    upstream.answer({ text: 'ok', usage: { prompt_tokens: 1000, completion_tokens: 0 } });
    server.clock.advance(10_000);
    await ask(server, credential, 'hello');
    expect(await costsByModel(server, credential)).toEqual({ cubic: 0.001048 });
  });

  it('has no currency in a server without prices', async () => {
    const { server, credential, file } = await setUp();
    file.write({ models: [{ name: 'cubic', upstreams: [{ url: 'http://127.0.0.1:1/v1' }] }] });
    await until(() => server.log.some(({ message }) => message === 'the models of the AI gateway have changed'));
    for (const path of ['/v2/ai/usage/history', '/v2/ai/requests'])
      expect((await server.send(path, { credential })).json()).not.toHaveProperty('currency');
  });
});
