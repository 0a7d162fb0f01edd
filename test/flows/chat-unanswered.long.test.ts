import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

import { countTokens } from 'gpt-tokenizer/encoding/cl100k_base';
import { describe, expect, it, onTestFinished, vi } from 'vitest';

import { startChatUpstream } from '#mocks/chat-upstream.ts';
import { ask, spentToday, startChatServer, until } from '#test/support/chat.ts';

const nothing = { requests: 0, tokens: 0, spend: 0 };
const words = 'Cubby keeps its files in a folder and everything else in one SQLite database beside them. '.repeat(150);
const counted = countTokens(words);
const overloaded = [503, 'server_overloaded', '2'];
const outcome = async (answer: Awaited<ReturnType<typeof ask>>) => [
  answer.status,
  answer.json().error.code,
  answer.headers.get('retry-after'),
];

describe('a request without an answer on which a model had begun to work', () => {
  it('is charged its counted input after a timeout, keeps its pacing, and is logged with the reason', async () => {
    const { server, upstream } = await startChatServer({ completionDeadlineMs: 300 });
    const { credential } = await server.account('standard');
    upstream.answer('silent');
    const startedAt = performance.now();
    expect(await outcome(await ask(server, credential, words))).toEqual(overloaded);
    // The usual deadline is 90 s: half of it shows that this server has its own, however busy the machine is.
    expect(performance.now() - startedAt).toBeLessThan(45_000);
    await until(() => upstream.requests[0]!.isAbandoned);
    expect(await spentToday(server, credential)).toEqual({ requests: 1, tokens: counted, spend: counted });
    expect((await ask(server, credential, 'at once')).json().error.code).toBe('rate_limit_exceeded');
    expect(server.log.find(({ operation }) => operation === 'createChatCompletion')).toMatchObject({
      status: 503,
      reason: expect.stringMatching(/in time|300 ms/),
    });
  });

  it('is charged its counted input, and not its bytes, when the client disconnects', async () => {
    const { server, upstream } = await startChatServer();
    const { credential } = await server.account('standard');
    upstream.answer('silent');
    const gone = new AbortController();
    const asking = ask(server, credential, words, gone.signal);
    await until(() => upstream.requests.length === 1);
    gone.abort();
    await expect(asking).rejects.toThrow();
    await until(async () => (await spentToday(server, credential)).requests === 1);
    expect(await spentToday(server, credential)).toEqual({ requests: 1, tokens: counted, spend: counted });
  });

  it('is charged once if one server worked on it for long and the next rejected it', async () => {
    const second = await startChatUpstream();
    onTestFinished(() => second.close());
    const first = await startChatUpstream();
    onTestFinished(() => first.close());
    const { server } = await startChatServer({ env: { CUBBY_AI_UPSTREAM_URL: `${first.url},${second.url}` } });
    const { credential } = await server.account('standard');
    first.answer({ status: 500, delayMs: 2300 });
    second.answer({ status: 500 });
    expect(await outcome(await ask(server, credential, words))).toEqual(overloaded);
    expect(await spentToday(server, credential)).toEqual({ requests: 1, tokens: counted, spend: counted });
  });

  it('is charged the rounds before the one that failed', async () => {
    const { server, upstream } = await startChatServer({ search: true });
    const { credential } = await server.account();
    const call = { id: 'a', name: 'web_search', arguments: '{"query":"etag"}' };
    upstream.answer({ toolCalls: [call], usage: { prompt_tokens: 100, completion_tokens: 10 } }, { status: 500 });
    expect(await outcome(await ask(server, credential, 'hello'))).toEqual(overloaded);
    expect(await spentToday(server, credential)).toEqual({ requests: 1, tokens: 110, spend: 140 });
  });
});

describe('a request that no model had begun to work on is free', () => {
  it.each([
    ['refuses the key', { status: 401 }],
    ['fails', { status: 500 }],
    ['is busy each time', { status: 503 }],
    ['returns nonsense', { status: 200, body: '<html>' }],
    ['hangs up', 'hang-up'],
  ] as const)('when the server %s at once', async (_, behaviour) => {
    const { server, upstream } = await startChatServer();
    const { credential } = await server.account('standard');
    upstream.answer(behaviour);
    expect(await outcome(await ask(server, credential, words))).toEqual(overloaded);
    expect(await spentToday(server, credential)).toEqual(nothing);
  });

  it('when the server cannot be reached', async () => {
    // The gateway retries after pauses of random length.
    const random = vi.spyOn(Math, 'random').mockReturnValue(0);
    onTestFinished(() => random.mockRestore());
    const closed = createServer().listen(0, '127.0.0.1');
    await new Promise((resolve) => closed.once('listening', resolve));
    const { port } = closed.address() as AddressInfo;
    await new Promise((resolve) => closed.close(resolve));
    const { server } = await startChatServer({ env: { CUBBY_AI_UPSTREAM_URL: `http://127.0.0.1:${port}/v1` } });
    const { credential } = await server.account('standard');
    expect(await outcome(await ask(server, credential, words))).toEqual(overloaded);
    expect(await spentToday(server, credential)).toEqual(nothing);
  });
});

describe('an empty answer', () => {
  it('makes the gateway retry the server once and return its second answer', async () => {
    const { server, upstream } = await startChatServer();
    const { credential } = await server.account('standard');
    upstream.answer({ text: '' }, { text: 'here' });
    const answer = await ask(server, credential, 'hello');
    expect([answer.status, answer.json().choices[0].message.content]).toEqual([200, 'here']);
    expect(await spentToday(server, credential)).toMatchObject({ requests: 1, tokens: 17 });
  });

  it('makes the gateway try the next server', async () => {
    const second = await startChatUpstream();
    onTestFinished(() => second.close());
    const first = await startChatUpstream();
    onTestFinished(() => first.close());
    const { server } = await startChatServer({ env: { CUBBY_AI_UPSTREAM_URL: `${first.url},${second.url}` } });
    first.answer({ text: '' });
    second.answer({ text: 'from the second' });
    const answer = await ask(server, (await server.account('standard')).credential, 'hello');
    expect(answer.json().choices[0].message.content).toBe('from the second');
    expect(first.requests).toHaveLength(1);
  });

  it.each([
    ['no text', null],
    ['an empty text', ''],
  ])(
    'leads to server_overloaded if nothing but %s comes, charged with the input that the model has read',
    async (_, text) => {
      const { server, upstream } = await startChatServer();
      const { credential } = await server.account('standard');
      upstream.answer({ text });
      expect(await outcome(await ask(server, credential, words))).toEqual(overloaded);
      expect(upstream.requests).toHaveLength(2);
      expect(await spentToday(server, credential)).toEqual({ requests: 1, tokens: counted, spend: counted });
    },
  );

  it('is returned if its finish_reason explains it', async () => {
    const { server, upstream } = await startChatServer();
    upstream.answer({ text: '', finishReason: 'length' });
    const answer = await ask(server, (await server.account('standard')).credential, 'hello');
    expect([answer.status, answer.json().choices[0]]).toMatchObject([
      200,
      { finish_reason: 'length', message: { content: '' } },
    ]);
  });
});

describe('the context window', () => {
  const exactly = (tokens: number) => 'word '.repeat(tokens - 1) + 'word';

  it.each([
    ['standard', 16_384],
    ['pro', 24_576],
    ['enterprise', 32_768],
  ] as const)('accepts exactly the tokens of the limit on %s, as the tokenizer counts them', async (plan, tokens) => {
    expect(countTokens(exactly(tokens))).toBe(tokens);
    const { server } = await startChatServer();
    const { credential } = await server.account(plan);
    expect((await ask(server, credential, exactly(tokens + 1))).json().error?.code).toBe('context_length_exceeded');
    expect((await ask(server, credential, exactly(tokens))).status).toBe(200);
  });
});
