import { countTokens } from 'gpt-tokenizer/encoding/cl100k_base';
import { describe, expect, it } from 'vitest';

import type { UpstreamRequest, UpstreamStream } from '#mocks/chat-upstream.ts';
import { chunkOf, chunksOf } from '#mocks/chat-upstream-answers.ts';
import { completionsPath, spentToday, startChatServer, until } from '#test/support/chat.ts';
import { numbersFrom } from '#test/support/numbers-from.ts';
import type { TestServer } from '#test/support/server.ts';

const env = { CUBBY_AI_STREAMING: 'on' };
const isLong = process.env.CUBBY_TEST_LONG === '1';
const words = ['file ', 'ETag ', 'größe ', '漢字 ', 'of ', 'version, ', '😀 ', 'a\n'];

/** What happens to one request: the upstream ends in its way, and the client may leave. */
interface Plan {
  readonly pieces: readonly string[];
  readonly ends: 'whole' | 'uncounted' | 'hang-up' | 'nonsense' | 'open';
  /** The client leaves when so many pieces have come. */
  readonly leavesAfter: number | undefined;
}

function planOf(random: () => number): Plan {
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)]!;
  const pieces = Array.from({ length: 1 + Math.floor(random() * 12) }, () => pick(words));
  const ends = pick(['whole', 'whole', 'uncounted', 'hang-up', 'nonsense', 'open'] as const);
  const leaves = ends === 'open' || random() < 0.3;
  return { pieces, ends, leavesAfter: leaves ? 1 + Math.floor(random() * pieces.length) : undefined };
}

function streamOf({ pieces, ends }: Plan): UpstreamStream {
  const text = pieces.join('');
  const usage = ends === 'whole' ? { prompt_tokens: 33, completion_tokens: pieces.length } : null;
  if (ends === 'whole' || ends === 'uncounted') return { pieces: chunksOf({ text, usage }), pauseMs: 1 };
  const said = pieces.map((content) => chunkOf({ content }));
  return {
    pieces: ends === 'nonsense' ? [...said, 'data: {]\n\n'] : said,
    pauseMs: 1,
    atEnd: ends === 'hang-up' ? 'hang-up' : 'open',
  };
}

/** Reads a stream until its end, or until the client leaves. */
async function read(server: TestServer, credential: string, content: string, leavesAfter: number | undefined) {
  const leaving = new AbortController();
  const response = await fetch(server.running.urls.api + completionsPath, {
    method: 'POST',
    headers: { authorization: credential, 'content-type': 'application/json' },
    body: JSON.stringify({
      stream: true,
      stream_options: { include_usage: true },
      messages: [{ role: 'user', content }],
    }),
    signal: leaving.signal,
  });
  let received = '';
  const events = () => {
    const whole = received.slice(0, received.lastIndexOf('\n\n') + 2);
    const texts = [...whole.matchAll(/^data: (\{.*\})$/gm)].map(([, json]) => JSON.parse(json!) as any);
    const pieces = texts.map((event) => event.choices?.[0]?.delta?.content).filter(Boolean) as string[];
    return { text: pieces.join(''), count: pieces.length, usage: texts.find(({ usage }) => usage)?.usage };
  };
  try {
    for await (const chunk of response.body!.pipeThrough(new TextDecoderStream())) {
      received += chunk;
      if (leavesAfter !== undefined && events().count >= leavesAfter) {
        leaving.abort();
        break;
      }
    }
  } catch {
    // It has left.
  }
  return { status: response.status, hasLeft: leaving.signal.aborted, ...events() };
}

describe('streams under disconnects and faults of the upstream', () => {
  it('are each charged what was reported, or what the model has written', { timeout: 600_000 }, async () => {
    const { server, upstream } = await startChatServer({ env });
    const { credential } = await server.account('enterprise');
    const random = numbersFrom(20_261_126);
    let plan!: Plan;
    upstream.answer((_: UpstreamRequest) => streamOf(plan));
    let before = await spentToday(server, credential);
    for (let request = 0; request < (isLong ? 1000 : 40); request++) {
      plan = planOf(random);
      const content = `question ${request} `.repeat(1 + Math.floor(random() * 5));
      const got = await read(server, credential, content, plan.leavesAfter);
      await until(async () => (await spentToday(server, credential)).requests > before.requests);
      const now = await spentToday(server, credential);
      const charge = now.tokens - before.tokens;
      const output = (now.spend - before.spend - charge) / 3;
      const input = charge - output;
      before = now;
      const named = `request ${request}: ${JSON.stringify({ plan, got, charge, output })}`;
      expect([got.status, now.requests], named).toEqual([200, request + 1]);
      if (got.usage) expect(got.usage, named).toMatchObject({ prompt_tokens: input, completion_tokens: output });
      else if (got.hasLeft) {
        // The gateway may have received more than its client has read, and the upstream may have ended.
        const most = Math.max(countTokens(plan.pieces.join('')), plan.pieces.length);
        expect(output, named).toBeLessThanOrEqual(most);
        expect(output, named).toBeGreaterThanOrEqual(Math.min(countTokens(got.text) - 1, plan.pieces.length));
        expect([countTokens(content), 33], named).toContain(input);
      } else expect([input, output], named).toEqual([countTokens(content), countTokens(got.text)]);
    }
    expect(server.log.filter(({ message }) => message === 'fault')).toEqual([]);
  });
});

describe('64 streams at once', () => {
  it('never exceed the tokens of the installation together', async () => {
    const cap = 40_000;
    const { server, upstream } = await startChatServer({ env: { ...env, CUBBY_AI_DAILY_TOKENS: String(cap) } });
    const accounts = await Promise.all(Array.from({ length: 64 }, () => server.account('enterprise')));
    // It uses all that it may, which is less for the last one that fits.
    upstream.answer(({ body: { max_tokens: most } }) => ({
      text: 'word '.repeat(100),
      pauseMs: 1,
      usage: { prompt_tokens: 10, completion_tokens: most },
    }));
    const outcomes = await Promise.all(
      accounts.map(async ({ credential }, at) => {
        const answer = await server.send(completionsPath, {
          method: 'POST',
          credential,
          body: JSON.stringify({
            stream: true,
            max_tokens: 1000,
            messages: [{ role: 'user', content: `hello ${at}` }],
          }),
        });
        return answer.status;
      }),
    );
    const spent = await Promise.all(accounts.map(({ credential }) => spentToday(server, credential)));
    const total = spent.reduce((sum, { tokens }) => sum + tokens, 0);
    const answered = outcomes.filter((status) => status === 200).length;
    expect(total).toBeGreaterThan((answered - 1) * 1010);
    expect(total).toBeLessThanOrEqual(cap);
    expect(answered).toBeGreaterThan(30);
    expect([...new Set(outcomes)].sort()).toEqual([200, 503]);
  });

  it('of one account are as many as its plan allows', async () => {
    const { server, upstream } = await startChatServer({ env });
    const { credential } = await server.account('enterprise');
    const rest = Promise.withResolvers<void>();
    let rejected = 0;
    upstream.answer(() => ({
      pieces: (async function* () {
        yield chunkOf({ content: 'one ' });
        await rest.promise;
        yield* chunksOf({ text: 'two' });
      })(),
    }));
    const send = async () => {
      const answer = await server.send(completionsPath, {
        method: 'POST',
        credential,
        body: JSON.stringify({ stream: true, messages: [{ role: 'user', content: 'hello' }] }),
      });
      if (answer.status === 429 && ++rejected === 62) rest.resolve();
      return answer;
    };
    const statuses = (await Promise.all(Array.from({ length: 64 }, send))).map(({ status }) => status);
    expect(statuses.filter((status) => status === 200)).toHaveLength(2);
    expect((await spentToday(server, credential)).requests).toBe(2);
  });
});
