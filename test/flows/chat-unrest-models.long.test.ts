import { describe, expect, it } from 'vitest';

import type { UpstreamBehaviour, UpstreamRequest } from '#mocks/chat-upstream.ts';
import { chunkOf } from '#mocks/chat-upstream-answers.ts';
import { until } from '#test/support/chat.ts';
import { numberedUpstreams, startModelsServer } from '#test/support/models.ts';
import { numbersFrom } from '#test/support/numbers-from.ts';
import type { TestAccount, TestServer } from '#test/support/server.ts';

const count = process.env.CUBBY_TEST_LONG === '1' ? 1000 : 120;
const places = 9;

const routes = { chat: 'chat/completions', responses: 'responses', messages: 'messages' } as const;
type Form = keyof typeof routes;

function bodyOf(form: Form, content: string, more: object): string {
  const messages = [{ role: 'user', content }];
  return JSON.stringify({
    ...(form === 'responses' ? { input: content } : { messages }),
    ...(form === 'messages' && { max_tokens: 300 }),
    ...more,
    ...(form === 'chat' && 'stream' in more && { stream_options: { include_usage: true } }),
  });
}

/**
 * The fault or the answer of an upstream. Every second request is answered, so that fallbacks and answers are frequent.
 */
function behaviourOf(random: () => number, { body }: UpstreamRequest): UpstreamBehaviour {
  const usage = { prompt_tokens: 100 + Math.floor(random() * 50), completion_tokens: 1 + Math.floor(random() * 40) };
  const answer = { text: 'word '.repeat(1 + Math.floor(random() * 20)), usage, pauseMs: 1 };
  const begun = [chunkOf({ content: 'one ' }), chunkOf({ content: 'two' })];
  const faults: readonly UpstreamBehaviour[] = [
    { status: 503 },
    'hang-up',
    body.stream ? { pieces: begun, atEnd: 'hang-up', pauseMs: 2 } : 'cut-off',
    body.stream ? { pieces: [...begun, 'data: {]\n\n'] } : { status: 200, body: '<html>' },
    body.stream ? { pieces: begun, atEnd: 'open' } : 'stalled',
    { status: 400, body: { error: { message: 'No.' } } },
    { status: 500 },
    { ...answer, delayMs: 30 },
  ];
  return random() < 0.5 ? answer : faults[Math.floor(random() * faults.length)]!;
}

interface Asked {
  readonly id: string | null;
  readonly isAnswered: boolean;
  /** The tokens that the client was told. */
  readonly told: readonly (number | undefined)[];
}

async function read(response: Response, leaving: AbortController, leavesAfter: number): Promise<Asked> {
  let text = '';
  let pieces = 0;
  for await (const piece of response.body!.pipeThrough(new TextDecoderStream())) {
    text += piece;
    if (++pieces === leavesAfter) leaving.abort();
  }
  const last = (name: RegExp) => [...text.matchAll(name)].map(([, tokens]) => Number(tokens)).at(-1);
  return {
    id: response.headers.get('x-request-id'),
    isAnswered: response.status === 200 && !/"error"|response\.failed/.test(text.replaceAll('"error":null', '')),
    told: [last(/"(?:prompt|input)_tokens":(\d+)/g), last(/"(?:completion|output)_tokens":(\d+)/g)],
  };
}

/** Returns the totals of an account, as three operations report them, and its requests by their ids. */
async function totalsOf(server: TestServer, { credential }: TestAccount) {
  const get = async (path: string) => (await server.send(`/v2/ai/${path}`, { credential })).json();
  const { tokens, requests } = await get('usage');
  const { data } = await get('usage/history?group_by=key,model');
  const list: any[] = [];
  for (let cursor = ''; ;) {
    const page = await get(`requests?limit=100${cursor}`);
    list.push(...page.requests);
    if (page.continuationToken === undefined) break;
    cursor = `&cursor=${encodeURIComponent(page.continuationToken)}`;
  }
  const sum = (entries: any[]) => entries.reduce((all, one) => all + one.input_tokens + one.output_tokens, 0);
  return {
    list,
    tokens: [tokens.today.used, sum(data), sum(list)],
    requests: [
      requests.today.used,
      data.reduce((all: number, one: any) => all + one.requests, 0),
      list.filter((one) => one.input_tokens > 0).length,
    ],
  };
}

describe('all formats with faulty servers, leaving clients, a queue, a cache and changing models', () => {
  it('charge what was told, leave no place taken and keep all lists equal', { timeout: 600_000 }, async () => {
    const random = numbersFrom(20_261_126);
    const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)]!;
    const upstreams = await numberedUpstreams(4);
    for (const one of upstreams) one.answer((request) => behaviourOf(random, request));
    const [first, second, third, fourth] = upstreams.map(({ url }) => url);
    const models = (standard: string) => ({
      default: standard,
      models: [
        {
          name: 'small',
          aliases: ['gpt-4o-mini'],
          upstreams: [{ url: first, weight: 3 }, { url: second }, { url: third, order: 2 }],
        },
        {
          name: 'large',
          upstreams: [
            { url: second, model: 'x' },
            { url: fourth, order: 2 },
          ],
        },
      ],
    });
    const { server, file } = await startModelsServer(models('small'), {
      completionDeadlineMs: 3000,
      env: {
        CUBBY_AI_CACHE_SECONDS: '600',
        CUBBY_AI_LOG_DAYS: '10',
        CUBBY_AI_QUEUE_MS: '1500',
        CUBBY_AI_MAX_CONCURRENT: String(places),
      },
    });
    const accounts = await Promise.all(Array.from({ length: 6 }, () => server.account('enterprise')));
    const post = (n: number, form: Form, content: string, more: object, signal?: AbortSignal) =>
      fetch(`${server.running.urls.api}/v2/ai/${routes[form]}`, {
        method: 'POST',
        headers: { authorization: accounts[n % accounts.length]!.credential, 'content-type': 'application/json' },
        body: bodyOf(form, content, more),
        ...(signal && { signal }),
      });
    const asked: Asked[] = [];
    let next = 0;
    const ask = async () => {
      for (let n = next++; n < count; n = next++) {
        if (n % 20 === 10) file.write(models(pick(['small', 'large'])));
        const leaving = new AbortController();
        const timer = random() < 0.3 ? setTimeout(() => leaving.abort(), random() * 60) : undefined;
        const more = {
          model: pick(['small', 'cubic', 'gpt-4o-mini', 'large', 'unknown']),
          ...(random() < 0.6 && { stream: true }),
          ...(random() < 0.4 && { temperature: 0 }),
        };
        const content = `question ${random() < 0.3 ? n % 20 : n}`;
        const leavesAfter = random() < 0.2 ? 1 + Math.floor(random() * 3) : Infinity;
        await post(n, pick(['chat', 'responses', 'messages']), content, more, leaving.signal)
          .then(async (response) => void asked.push(await read(response, leaving, leavesAfter)))
          .catch((error: unknown) => {
            if (!leaving.signal.aborted) throw error;
          });
        clearTimeout(timer);
      }
    };
    await Promise.all(Array.from({ length: 24 }, ask));
    const free = Promise.withResolvers<void>();
    let held = 0;
    for (const one of upstreams)
      one.answer(() => ({
        pieces: (async function* () {
          held++;
          await free.promise;
          yield chunkOf({ content: 'ok' });
        })(),
      }));
    // Enterprise has two places, so five accounts can take all.
    const more = Array.from({ length: places }, (_, n) => post(n, 'chat', 'hello', { stream: true }));
    await until(() => held === places);
    free.resolve();
    await Promise.all(more.map(async (one) => (await one).text()));
    const entries = new Map<string, any>();
    for (const account of accounts) {
      await expect
        .poll(async () => {
          const { tokens, requests } = await totalsOf(server, account);
          return [new Set(tokens).size, new Set(requests).size, tokens, requests];
        })
        .toEqual([1, 1, expect.anything(), expect.anything()]);
      for (const entry of (await totalsOf(server, account)).list) entries.set(entry.request_id, entry);
    }
    const answered = asked.filter(({ isAnswered }) => isAnswered);
    expect(answered.length).toBeGreaterThan(count / 8);
    for (const { id, told } of answered) {
      const { outcome, cached, input_tokens: input, output_tokens: output } = entries.get(id!);
      expect([id, outcome, ...(cached ? told : [input, output])]).toEqual([id, 'answered', ...told]);
      if (cached) expect([input, output]).toEqual([0, 0]);
    }
    expect(server.log.filter(({ message }) => message === 'fault')).toEqual([]);
  });
});
