import type { RequestListener } from 'node:http';

import { describe, expect, it } from 'vitest';

import { upstreamErrors } from '#mocks/chat-upstream-errors.ts';
import { changeAccount } from '#server/domain/account/change-account.ts';
import type { Metadata } from '#server/domain/ports/metadata.ts';
import { MemoryChatReservations } from '#server/features/chat/stores/memory/chat-reservations.ts';
import { ask, spentToday, startChatServer, until } from '#test/support/chat.ts';

const question = { role: 'user', content: 'What is an ETag?' };
/** Reservations that charge through the store that a test makes fail. */
const chatReservations = (metadata: Metadata) => new MemoryChatReservations(metadata);

const nothing = { requests: 0, tokens: 0, spend: 0 };

describe('a failed request costs nothing', () => {
  it("when the store fails after the model's answer, which is not sent, and frees its slot", async () => {
    let isBroken = false;
    const metadata = (real: Metadata): Metadata => ({
      read: real.read,
      atomically: (work) => (isBroken ? Promise.reject(new Error('the disk is gone')) : real.atomically(work)),
    });
    const { server, upstream } = await startChatServer({ metadata, chatReservations });
    const { credential } = await server.account('standard');
    // By then the key's first use is recorded.
    await spentToday(server, credential);
    upstream.answer(() => ((isBroken = true), { text: 'here' }));
    const answer = await ask(server, credential, 'hello');
    expect([answer.status, answer.json().error.code]).toEqual([500, 'internal_server_error']);
    isBroken = false;
    expect(await spentToday(server, credential)).toEqual(nothing);
    upstream.answer({ text: 'here' });
    expect((await ask(server, credential, 'hello')).status).toBe(200);
  });

  it('when the time is over before the tokens are counted', async () => {
    const { server, upstream } = await startChatServer({ completionDeadlineMs: 1 });
    const { credential } = await server.account('enterprise');
    const answer = await ask(server, credential, 'words of all kinds '.repeat(5000));
    expect([answer.status, answer.json().error.code]).toEqual([503, 'server_overloaded']);
    expect(upstream.requests).toHaveLength(0);
  });

  it('when an error occurs after the time is over, which is a logged fault', async () => {
    const chargedTo = async () => {
      await new Promise((resolve) => setTimeout(resolve, 50));
      throw new Error('the disk is gone');
    };
    const metadata = (real: Metadata): Metadata => ({
      read: { ...real.read, chat: { ...real.read.chat, chargedTo } },
      atomically: (...work) => real.atomically(...work),
    });
    const { server } = await startChatServer({ metadata, chatReservations, completionDeadlineMs: 20 });
    const { credential } = await server.account('standard');
    expect((await ask(server, credential, 'hello')).status).toBe(500);
    expect(server.log.filter(({ message }) => message === 'fault').map((line) => JSON.stringify(line))).toContainEqual(
      expect.stringContaining('the disk is gone'),
    );
  });

  it.each([
    ['invalid_request', 400, upstreamErrors.vllm.badRequest],
    ['context_length_exceeded', 400, upstreamErrors.llamaCpp.contextTooLong],
    ['server_overloaded', 503, upstreamErrors.openai.wrongKey],
  ] as const)('when the upstream refuses: %s', async (code, status, behaviour) => {
    const { server, upstream } = await startChatServer();
    const { credential } = await server.account('standard');
    upstream.answer(behaviour);
    const answer = await ask(server, credential, 'hello');
    expect([answer.status, answer.json().error.code]).toEqual([status, code]);
    expect(answer.body.toString()).not.toContain(JSON.stringify(behaviour.body).slice(20, 60));
    expect(await spentToday(server, credential)).toEqual(nothing);
  });
});

describe('a client that goes away', () => {
  it('while its long body is read is charged nothing, and no model gets the request', async () => {
    const leavingAtTheEnd =
      (name: string, real: RequestListener): RequestListener =>
      (req, res) => {
        if (name === 'api' && req.method === 'POST') req.once('end', () => req.socket.destroy());
        real(req, res);
      };
    const { server, upstream } = await startChatServer({ door: leavingAtTheEnd });
    const { credential } = await server.account('enterprise');
    // Longer bodies are parsed one after the other.
    const body = { messages: [question], padding: ' '.repeat(100_000) };
    for (const left of await Promise.allSettled(Array.from({ length: 8 }, () => ask(server, credential, body))))
      expect(left.status).toBe('rejected');
    const lines = () => server.log.filter(({ operation }) => operation === 'createChatCompletion');
    await until(() => lines().length === 8);
    // By now the model would have been asked, if requests were sent after the log line.
    expect((await server.send('/v2/ai/usage', { credential })).status).toBe(200);
    expect(upstream.requests).toHaveLength(0);
    expect(await spentToday(server, credential)).toEqual(nothing);
  });

  it('after the model got it is charged request and input, keeps its pacing, ends the upstream request', async () => {
    const { server, upstream } = await startChatServer();
    const { credential } = await server.account('standard');
    upstream.answer('silent', { text: 'here' });
    const gone = new AbortController();
    const asking = ask(server, credential, 'hello', gone.signal);
    await until(() => upstream.requests.length === 1);
    expect((await ask(server, credential, 'meanwhile')).json().error.code).toBe('concurrent_limit_reached');
    gone.abort();
    await expect(asking).rejects.toThrow();
    await until(() => upstream.requests[0]!.isAbandoned);
    await until(async () => (await spentToday(server, credential)).requests === 1);
    expect(await spentToday(server, credential)).toEqual({ requests: 1, tokens: 1, spend: 1 });
    expect((await ask(server, credential, 'at once')).json().error.code).toBe('rate_limit_exceeded');
    server.clock.advance(10_000);
    expect((await ask(server, credential, 'again')).status).toBe(200);
    const line = server.log.find((one) => one.operation === 'createChatCompletion' && one.outcome === 'aborted');
    expect(line).not.toHaveProperty('status');
    expect((await server.send('/metrics', { door: 'operator' })).body.toString()).toContain(
      'cubby_ai_requests_total{outcome="aborted"} 1',
    );
    expect(server.log.filter(({ message }) => message === 'fault')).toEqual([]);
  });

  it('that the stopping server cut off is charged nothing', async () => {
    const { server, upstream } = await startChatServer();
    const { credential } = await server.account('standard');
    upstream.answer('silent');
    const cut = new AbortController();
    const asking = ask(server, credential, 'hello', cut.signal);
    await until(() => upstream.requests.length === 1);
    server.running.app.beginStop();
    cut.abort();
    await expect(asking).rejects.toThrow();
    await until(() => upstream.requests[0]!.isAbandoned);
    await until(() => server.log.some(({ operation }) => operation === 'createChatCompletion'));
    expect(await spentToday(server, credential)).toEqual(nothing);
  });

  it('is charged nothing if no model read it: the upstream was unreachable or waited for a retry', async () => {
    const { server, upstream } = await startChatServer();
    const { credential } = await server.account('standard');
    upstream.answer({ status: 503, headers: { 'Retry-After': '4' } });
    const gone = new AbortController();
    const asking = ask(server, credential, 'hello', gone.signal);
    await until(() => upstream.requests.length === 1);
    await until(() => server.log.some(({ outcome }) => outcome === 'busy'));
    gone.abort();
    await expect(asking).rejects.toThrow();
    await until(() => server.log.some(({ operation }) => operation === 'createChatCompletion'));
    upstream.answer({ text: 'here' });
    // Its reservation is released just after the line in the log.
    await expect.poll(async () => (await ask(server, credential, 'at once')).status).toBe(200);
    expect(await spentToday(server, credential)).toMatchObject({ requests: 1 });
  });

  it('is charged the finished rounds and the input of the running one', async () => {
    const { server, upstream } = await startChatServer({ search: true });
    const { credential } = await server.account();
    const call = { id: 'a', name: 'web_search', arguments: '{"query":"etag"}' };
    upstream.answer({ toolCalls: [call], usage: { prompt_tokens: 100, completion_tokens: 10 } }, 'silent');
    const gone = new AbortController();
    const asking = ask(server, credential, 'hello', gone.signal).catch(() => 'left');
    await until(() => upstream.requests.length === 2);
    gone.abort();
    expect(await asking).toBe('left');
    await until(async () => (await spentToday(server, credential)).requests === 1);
    const { tokens, spend } = await spentToday(server, credential);
    expect(tokens).toBeGreaterThan(100 + 10 + 100);
    expect(spend).toBe(tokens + 3 * 10);
  });
});

describe('the charge', () => {
  it('includes the schema and the stop texts of a request like its messages', async () => {
    const { server, upstream } = await startChatServer();
    const { credential } = await server.account('standard');
    const words = 'many more words '.repeat(10_000);
    const response_format = { type: 'json_schema', json_schema: { name: 'answer', schema: { description: words } } };
    for (const more of [
      { response_format },
      { response_format: { type: 'json_schema', json_schema: { name: 'answer', description: words } } },
      { stop: [words] },
    ]) {
      expect((await ask(server, credential, { messages: [question], ...more })).json().error?.code).toBe(
        'context_length_exceeded',
      );
    }
    expect(upstream.requests).toHaveLength(0);
  });

  it('is the same in response, log and metrics, also if the upstream reported nonsense counts', async () => {
    const { server, upstream } = await startChatServer();
    const { credential } = await server.account('pro');
    upstream.answer({ text: 'Done.', usage: { prompt_tokens: 9_000_000, completion_tokens: 9_000_000 } });
    const { usage } = (await ask(server, credential, { messages: [question], max_tokens: 10 })).json();
    const held = Buffer.byteLength(question.content) + 8;
    expect(usage).toEqual({
      prompt_tokens: 2 * held + 1024,
      completion_tokens: 2 * 10 + 1024,
      total_tokens: 2 * held + 2 * 10 + 2048,
    });
    expect((await spentToday(server, credential)).tokens).toBe(usage.total_tokens);
    expect(server.log.find(({ operation }) => operation === 'createChatCompletion')).toMatchObject({
      input_tokens: usage.prompt_tokens,
      output_tokens: usage.completion_tokens,
    });
    expect((await server.send('/metrics', { door: 'operator' })).body.toString()).toContain(
      `cubby_ai_tokens_total{kind="output"} ${usage.completion_tokens}`,
    );
    expect(server.log).toContainEqual(
      expect.objectContaining({
        level: 'warn',
        counted_input_tokens: 9_000_000,
        charged_input_tokens: usage.prompt_tokens,
      }),
    );
  });

  it('is marked when it is an estimate', async () => {
    const { server, upstream } = await startChatServer();
    const { credential } = await server.account('pro');
    upstream.answer({ text: 'Done.', usage: null });
    await ask(server, credential, { messages: [question] });
    expect(server.log.find(({ operation }) => operation === 'createChatCompletion')).toMatchObject({
      usage_estimated: true,
    });
  });

  it('does not end a search after a round with a nonsense count', async () => {
    const { server, upstream } = await startChatServer({ search: true });
    const { credential } = await server.account('pro');
    const call = { id: 'a', name: 'web_search', arguments: '{"query":"etag"}' };
    upstream.answer(
      { toolCalls: [call], usage: { prompt_tokens: 99_999_999, completion_tokens: 10 } },
      { text: 'Done.' },
    );
    expect((await ask(server, credential, { messages: [question] })).status).toBe(200);
  });

  it("may use up an account's own budget, because fair use grows with it", async () => {
    const { server } = await startChatServer();
    const { id, credential } = await server.account('enterprise');
    await changeAccount(server.running.app.stores, { accountId: id, aiTokensPerDay: 20_000_000 });
    const { spend, tokens } = (await server.send('/v2/ai/usage', { credential })).json();
    expect([tokens.today.limit, spend.today.limit]).toEqual([20_000_000, 30_000_000]);
  });
});
