import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

import { describe, expect, it, onTestFinished, vi } from 'vitest';

import type { UpstreamBehaviour } from '#mocks/chat-upstream.ts';
import { openUpstream } from '#server/features/chat/backends/open-upstream.ts';
import { ChatModelUnavailable } from '#server/features/chat/models/chat-model.ts';
import { TestClock } from '#test/support/clock.ts';
import { patience, question, startChain } from '#test/support/chat-model.ts';
import { eventually } from '#test/support/eventually.ts';

const failureOf = async (work: Promise<unknown>): Promise<Error> => {
  const error = await work.then(
    () => new Error('It was answered.'),
    (thrown: unknown) => thrown as Error,
  );
  expect(error).toBeInstanceOf(ChatModelUnavailable);
  return error;
};

const busy: UpstreamBehaviour = { status: 503, body: { error: 'busy' } };

describe('UpstreamChain', () => {
  it('returns the answer of the upstream, over a connection that is used again', async () => {
    const {
      upstreams: [upstream],
      model,
    } = await startChain();
    expect(await model.complete(question('hello'), patience)).toEqual({
      text: 'echo: hello',
      toolCalls: [],
      finishReason: 'stop',
      usage: { inputTokens: 12, outputTokens: 5 },
    });
    await model.complete(question(), patience);
    expect(upstream!.requests.map(({ method, path }) => `${method} ${path}`)).toEqual(
      Array(2).fill('POST /v1/chat/completions'),
    );
  });

  it.each<readonly [string, UpstreamBehaviour]>([
    ['429', { status: 429 }],
    ['502', { status: 502, body: '<html>Bad gateway</html>' }],
    ['503', busy],
    ['504', { status: 504 }],
    ['a connection that is closed', 'hang-up'],
    ['half an answer', 'cut-off'],
  ])('tries again after %s', async (_, behaviour) => {
    const {
      upstreams: [upstream],
      model,
      attempts,
    } = await startChain();
    upstream!.answer(behaviour, behaviour, { text: 'at last' });
    expect((await model.complete(question(), patience)).text).toBe('at last');
    expect(attempts).toHaveLength(3);
    expect(attempts.at(-1)).toBe('1 answered');
  });

  it.each<readonly [string, UpstreamBehaviour]>([
    ['500', { status: 500, body: { error: { message: 'boom' } } }],
    ['401', { status: 401 }],
    ['404', { status: 404 }],
    ['a redirect', { status: 307, headers: { Location: 'http://127.0.0.1:1/v1/chat/completions' } }],
    ['an answer that is not JSON', { status: 200, body: 'hello' }],
    ['an answer without a message', { status: 200, body: { choices: [] } }],
    ['a list as the answer', { status: 200, body: [1] }],
    ['another success than 200', { status: 204 }],
  ])('does not ask the same server again after %s', async (_, behaviour) => {
    const {
      upstreams: [upstream],
      model,
      attempts,
    } = await startChain();
    upstream!.answer(behaviour);
    await failureOf(model.complete(question(), patience));
    expect(attempts).toHaveLength(1);
  });

  it('gives up after four rounds', async () => {
    const {
      upstreams: [upstream],
      model,
      attempts,
    } = await startChain();
    upstream!.answer(busy);
    await failureOf(model.complete(question(), patience));
    expect(attempts).toEqual(Array(4).fill('1 busy'));
  });

  it('asks the next server at once after any failure of the one before', async () => {
    for (const behaviour of [
      busy,
      { status: 401 },
      { status: 500 },
      'hang-up',
      { status: 200, body: 'hello' },
    ] satisfies UpstreamBehaviour[]) {
      const { upstreams, model, attempts } = await startChain({ count: 2, pausesMs: [60_000] });
      upstreams[0]!.answer(behaviour);
      expect((await model.complete(question('b'), patience)).text).toBe('echo: b');
      expect(attempts.map((attempt) => attempt.slice(0, 1))).toEqual(['1', '2']);
    }
  });

  it('asks only servers with a temporary failure in a further round', async () => {
    const { upstreams, model, attempts } = await startChain({ count: 3 });
    upstreams[0]!.answer({ status: 401 });
    upstreams[1]!.answer(busy, busy, { text: 'now' });
    upstreams[2]!.answer({ status: 500 });
    expect((await model.complete(question(), patience)).text).toBe('now');
    expect(attempts).toEqual(['1 misconfigured', '2 busy', '3 broken', '2 busy', '2 answered']);
  });

  it('waits as long as Retry-After says, and gives up when that is longer than the deadline', async () => {
    const short = await startChain();
    short.upstreams[0]!.answer({ status: 429, headers: { 'Retry-After': '0.3' } }, { text: 'now' });
    const beganMs = performance.now();
    expect((await short.model.complete(question(), patience)).text).toBe('now');
    expect(performance.now() - beganMs).toBeGreaterThan(290);

    for (const retryAfter of ['60', 'Tue, 21 Apr 2026 10:30:00 GMT']) {
      const long = await startChain();
      long.upstreams[0]!.answer({ status: 429, headers: { 'Retry-After': retryAfter } });
      await failureOf(long.model.complete(question(), patience));
      expect(long.attempts, retryAfter).toHaveLength(1);
    }
  });

  it('chooses a random pause up to the maximum', async () => {
    const {
      upstreams: [upstream],
      model,
    } = await startChain({ pausesMs: [8000], random: () => 0.025 });
    upstream!.answer(busy, { text: 'now' });
    const beganMs = performance.now();
    await model.complete(question(), patience);
    expect(performance.now() - beganMs).toBeGreaterThan(195);
    expect(performance.now() - beganMs).toBeLessThan(7500);
  });

  it('closes its connection at once when the caller leaves', async () => {
    for (const behaviour of ['silent', 'stalled'] as const) {
      const {
        upstreams: [upstream],
        model,
        attempts,
      } = await startChain();
      upstream!.answer(behaviour);
      const caller = new AbortController();
      const onBegun = vi.fn();
      const answer = failureOf(model.complete(question(), caller.signal, onBegun));
      await eventually(() => expect(upstream!.requests).toHaveLength(1));
      await sleep(20);
      caller.abort();
      expect(await answer).toBeInstanceOf(ChatModelUnavailable);
      expect(onBegun).toHaveBeenCalled();
      await eventually(() => expect(upstream!.requests[0]!.isAbandoned).toBe(true));
      expect(attempts).toEqual(['1 given-up']);
    }
  });

  it('gives up at once when the time ends while it connects', async () => {
    // Accepts connections, and never answers the TLS handshake.
    const mute = createServer().listen(0, '127.0.0.1');
    await once(mute, 'listening');
    const configured = {
      url: `https://127.0.0.1:${(mute.address() as AddressInfo).port}/v1`,
      key: undefined,
      model: 'tiny',
    };
    const upstream = openUpstream(configured, {
      newCallId: () => 'call',
      clock: new TestClock(),
      connectTimeoutMs: 60_000,
    });
    onTestFinished(async () => {
      await upstream.close();
      mute.close();
    });
    const beganMs = performance.now();
    const onBegun = vi.fn();
    expect(await upstream.ask(question(), AbortSignal.timeout(50), onBegun)).toEqual({ failure: { kind: 'too-slow' } });
    expect(onBegun).not.toHaveBeenCalled();
    expect(performance.now() - beganMs).toBeLessThan(5000);
  });

  it('gives up during a pause, and asks no upstream for a caller that has already left', async () => {
    const {
      upstreams: [upstream],
      model,
      attempts,
    } = await startChain({ pausesMs: [60_000], random: () => 1 });
    upstream!.answer(busy);
    const onBegun = vi.fn();
    expect(await failureOf(model.complete(question(), AbortSignal.timeout(100), onBegun))).toBeInstanceOf(
      ChatModelUnavailable,
    );
    expect(await failureOf(model.complete(question(), AbortSignal.abort(), onBegun))).toBeInstanceOf(
      ChatModelUnavailable,
    );
    expect(onBegun).not.toHaveBeenCalled();
    expect(attempts).toEqual(['1 busy']);
  });

  it('stops reading an endless answer, and closes the connection', async () => {
    const {
      upstreams: [upstream],
      model,
      attempts,
    } = await startChain({ maxBodyBytes: 1_000_000 });
    upstream!.answer('too-large');
    await failureOf(model.complete(question(), patience));
    expect(attempts).toEqual(['1 too-large']);
    await eventually(() => expect(upstream!.requests[0]!.isAbandoned).toBe(true));
  });

  it('reads an answer after a byte order mark', async () => {
    const {
      upstreams: [upstream],
      model,
    } = await startChain({ pausesMs: [] });
    upstream!.answer({
      status: 200,
      body: `\ufeff${JSON.stringify({ choices: [{ message: { content: 'hello' } }] })}`,
    });
    expect((await model.complete(question(), patience)).text).toBe('hello');
  });

  it('reads answers up to its limit', async () => {
    const {
      upstreams: [upstream],
      model,
      attempts,
    } = await startChain({ maxBodyBytes: 1_000_000 });
    upstream!.answer({ text: 'x'.repeat(990_000) }, { text: 'x'.repeat(1_000_000) });
    expect((await model.complete(question(), patience)).text).toHaveLength(990_000);
    await failureOf(model.complete(question(), patience));
    expect(attempts).toEqual(['1 answered', '1 too-large']);
  });

  it('does not wait for the rest of a stalled answer', async () => {
    const {
      upstreams: [upstream],
      model,
      attempts,
    } = await startChain({ bodyTimeoutMs: 300, pausesMs: [] });
    upstream!.answer('stalled');
    await failureOf(model.complete(question(), patience));
    expect(attempts).toEqual(['1 unreachable']);
  });

  it('keeps the upstream, its key and its words out of errors and reports', async () => {
    const {
      upstreams: [upstream],
      model,
      reports,
    } = await startChain({ key: 'sk-s3cret', pausesMs: [] });
    expect((await model.complete(question(), patience)).text).toContain('echo');
    expect(upstream!.requests[0]!.headers.authorization).toBe('Bearer sk-s3cret');
    const behaviours: UpstreamBehaviour[] = [
      { status: 500, body: 'sk-s3cret and What is an ETag?' },
      { status: 401, body: { error: { message: 'key sk-s3cret' } } },
      'hang-up',
      { status: 200, body: 'sk-s3cret' },
    ];
    for (const behaviour of behaviours) {
      upstream!.answer(behaviour);
      const error = await failureOf(model.complete(question(), patience));
      const port = new URL(upstream!.url).port;
      for (const secret of ['s3cret', 'ETag', port, '127.0.0.1'])
        expect(`${error.message} ${String(error.cause)} ${JSON.stringify(reports)}`).not.toContain(secret);
    }
  });

  it('is unavailable when nothing listens at the address', async () => {
    const {
      upstreams: [upstream],
      model,
      reports,
    } = await startChain({ pausesMs: [] });
    await upstream!.close();
    await failureOf(model.complete(question(), patience));
    expect(reports).toMatchObject([{ outcome: 'unreachable', code: 'ECONNREFUSED' }]);
  });
});
