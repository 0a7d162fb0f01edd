import { setTimeout as sleep } from 'node:timers/promises';

import { describe, expect, it } from 'vitest';

import type { UpstreamBehaviour } from '#mocks/chat-upstream.ts';
import { upstreamErrors } from '#mocks/chat-upstream-errors.ts';
import { ChatModelUnavailable, ToolsNotSupported } from '#server/features/chat/models/chat-model.ts';
import { patience, question, startChain } from '#test/support/chat-model.ts';

const failureOf = async (work: Promise<unknown>): Promise<Error> => {
  const error = await work.then(
    () => new Error('It was answered.'),
    (thrown: unknown) => thrown as Error,
  );
  expect(error).toBeInstanceOf(ChatModelUnavailable);
  return error;
};

const busy: UpstreamBehaviour = { status: 503, body: { error: 'busy' } };

describe('an upstream that keeps failing', () => {
  it('is skipped after failures in a row, and gets a single request after the pause', async () => {
    let nowMs = 0;
    const {
      upstreams: [upstream],
      model,
      reports,
    } = await startChain({ pausesMs: [], opensAfter: 3, pauseMs: 1000, nowMs: () => nowMs });
    upstream!.answer({ status: 502 });
    for (let time = 0; time < 5; time++) await failureOf(model.complete(question(), patience));
    expect(reports.map(({ opensBreaker }) => opensBreaker)).toEqual([false, false, true]);
    nowMs = 1000;
    upstream!.answer({ text: 'back', delayMs: 100 });
    const answers = await Promise.allSettled([
      model.complete(question(), patience),
      model.complete(question(), patience),
    ]);
    expect(answers.map(({ status }) => status)).toEqual(['fulfilled', 'rejected']);
    expect((await model.complete(question(), patience)).text).toBe('back');
  });

  it.each<readonly [string, UpstreamBehaviour]>([
    ['502', { status: 502 }],
    ['503', busy],
    ['504', { status: 504 }],
    ['a connection that is closed', 'hang-up'],
    ['401', { status: 401 }],
    ['404', { status: 404 }],
    ['a redirect', { status: 302 }],
  ])('is skipped after %s', async (_, behaviour) => {
    const {
      upstreams: [upstream],
      model,
      reports,
    } = await startChain({ pausesMs: [], opensAfter: 1 });
    upstream!.answer(behaviour);
    await failureOf(model.complete(question(), patience));
    expect(reports).toMatchObject([{ opensBreaker: true }]);
  });

  it.each<readonly [string, UpstreamBehaviour]>([
    ['500', { status: 500, body: 'boom' }],
    ['403', { status: 403, body: 'blocked' }],
    ['429', { status: 429 }],
    ['no JSON', { status: 200, body: 'hello' }],
    ['no message', { status: 200, body: { choices: [] } }],
    ['an endless answer', 'too-large'],
  ])('is not skipped after %s, which the content of one request can cause', async (_, behaviour) => {
    const {
      upstreams: [upstream],
      model,
      reports,
    } = await startChain({ pausesMs: [], opensAfter: 1, maxBodyBytes: 100_000 });
    upstream!.answer(behaviour);
    for (let time = 0; time < 2; time++) await failureOf(model.complete(question(), patience));
    expect(reports.map(({ opensBreaker }) => opensBreaker)).toEqual([false, false]);
  });

  it('is skipped after failures of several requests, not of one that is tried several times', async () => {
    const {
      upstreams: [upstream],
      model,
      reports,
    } = await startChain({ opensAfter: 2 });
    upstream!.answer(busy);
    await failureOf(model.complete(question(), patience));
    await failureOf(model.complete(question(), patience));
    expect(reports.map(({ opensBreaker }) => opensBreaker)).toEqual([false, false, false, false, true]);
  });

  it('counts as failing when it is too slow, unless it answered others meanwhile or the caller left', async () => {
    const inTime = () => AbortSignal.any([AbortSignal.timeout(500), patience]);
    const {
      upstreams: [upstream],
      model,
      reports,
    } = await startChain({ opensAfter: 1 });
    upstream!.answer('silent', { text: 'a quick one' }, 'silent');
    const slow = failureOf(model.complete(question(), inTime()));
    await sleep(20);
    await model.complete(question(), patience);
    expect((await slow).message).toBe('No answer came in time.');
    expect(reports.at(-1)).toMatchObject({ outcome: 'too-slow', opensBreaker: false });

    const caller = new AbortController();
    setTimeout(() => caller.abort(), 60);
    expect((await failureOf(model.complete(question(), caller.signal))).message).toBe(
      'Nobody waits for the answer any more.',
    );
    expect(reports.at(-1)).toMatchObject({ outcome: 'given-up', opensBreaker: false });
    await failureOf(model.complete(question(), inTime()));
    expect(reports.at(-1)).toMatchObject({ outcome: 'too-slow', opensBreaker: true });
  });
});

describe('several upstreams', () => {
  it('share the time: the chain asks the next one when the one before has used its share', async () => {
    const { upstreams, model, attempts } = await startChain({ count: 3, deadlineMs: 600, leastShareMs: 100 });
    upstreams[0]!.answer('silent');
    upstreams[1]!.answer('stalled');
    const beganMs = performance.now();
    expect((await model.complete(question('hello'), patience)).text).toBe('echo: hello');
    expect(performance.now() - beganMs).toBeGreaterThan(390);
    expect(attempts).toEqual(['1 too-slow', '2 too-slow', '3 answered']);
  });

  it('get a minimum share, and all of the time when no other is left', async () => {
    const { upstreams, model, attempts } = await startChain({ count: 2, deadlineMs: 100, leastShareMs: 5_000 });
    upstreams[0]!.answer({ text: 'slow', delayMs: 300 });
    expect((await model.complete(question(), patience)).text).toBe('slow');
    expect(attempts).toEqual(['1 answered']);

    const last = await startChain({ count: 2, deadlineMs: 1_000, leastShareMs: 500, opensAfter: 1 });
    last.upstreams[0]!.answer({ status: 500 }, { text: 'slow', delayMs: 600 });
    last.upstreams[1]!.answer({ status: 401 });
    await failureOf(last.model.complete(question(), patience));
    expect((await last.model.complete(question(), patience)).text).toBe('slow');
    expect(last.attempts).toEqual(['1 broken', '2 misconfigured', '1 answered']);
  });
});

describe('a request that no upstream answered', () => {
  it('throws an error with the reason of each upstream, for the log', async () => {
    const { upstreams, model } = await startChain({ count: 3, pausesMs: [], opensAfter: 1 });
    upstreams[0]!.answer(busy);
    await upstreams[1]!.close();
    upstreams[2]!.answer({ status: 500 });
    expect((await failureOf(model.complete(question(), patience))).message).toBe(
      'No upstream answered: 1 busy (503), 2 unreachable (ECONNREFUSED), 3 broken (500).',
    );
    expect((await failureOf(model.complete(question(), patience))).message).toBe(
      'No upstream answered: 1 left alone after failures, 2 left alone after failures, 3 broken (500).',
    );
  });

  it.each([
    ['Ollama', upstreamErrors.ollama.badRequest],
    ['vLLM', upstreamErrors.vllm.badRequest],
    [
      'llama.cpp',
      {
        status: 500,
        body: { error: { code: 500, message: 'tools param requires --jinja flag', type: 'server_error' } },
      },
    ],
    ['a router', { status: 404, body: { error: { message: 'No endpoints found that support tool use.', code: 404 } } }],
  ] as const)('throws ToolsNotSupported when %s rejects functions', async (_, behaviour) => {
    const {
      upstreams: [upstream],
      model,
      reports,
    } = await startChain({ pausesMs: [], opensAfter: 1 });
    upstream!.answer(behaviour);
    const error = await model
      .complete(question('hello', { tools: [{ name: 'add' }] }), patience)
      .catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(ToolsNotSupported);
    expect(error).toMatchObject({ code: 'invalid_request' });
    expect(reports).toMatchObject([{ outcome: 'tools-not-supported', opensBreaker: false }]);
  });

  it.each([
    "Invalid schema for function 'add': 'oneOf' is not supported.",
    "The model does not support tool choice 'required'.",
    'This model does not support parallel tool calls.',
  ])('does not throw ToolsNotSupported for "%s"', async (message) => {
    const {
      upstreams: [upstream],
      model,
    } = await startChain({ pausesMs: [] });
    upstream!.answer({ status: 400, body: { error: { message } } });
    await expect(model.complete(question('hello', { tools: [{ name: 'add' }] }), patience)).rejects.toThrow(
      'The model refused this request.',
    );
  });

  it('throws an error of this process unchanged, and counts it against no upstream', async () => {
    let nowMs = 0;
    const {
      upstreams: [upstream],
      model,
      attempts,
    } = await startChain({ opensAfter: 1, pauseMs: 1000, nowMs: () => nowMs });
    upstream!.answer({ status: 401 }, { text: 'back' });
    await failureOf(model.complete(question(), patience));
    nowMs = 1000;
    const parameters: Record<string, unknown> = {};
    parameters.itself = parameters;
    await expect(model.complete(question('hello', { tools: [{ name: 'add', parameters }] }), patience)).rejects.toThrow(
      TypeError,
    );
    expect([attempts, upstream!.requests.length]).toEqual([['1 misconfigured'], 1]);
    expect((await model.complete(question(), patience)).text).toBe('back');

    const unsendable = await startChain({ key: 'sk\nab' });
    const fault = await unsendable.model.complete(question(), patience).catch((thrown: unknown) => thrown);
    expect([fault, unsendable.attempts]).toEqual([expect.objectContaining({ code: 'UND_ERR_INVALID_ARG' }), []]);
  });
});
