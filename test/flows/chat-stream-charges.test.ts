import { countTokens } from 'gpt-tokenizer/encoding/cl100k_base';
import { describe, expect, it, onTestFinished } from 'vitest';

import { startChatUpstream } from '#mocks/chat-upstream.ts';
import { chunkOf, chunksOf, eventOf } from '#mocks/chat-upstream-answers.ts';
import type { Metadata } from '#server/domain/ports/metadata.ts';
import { MemoryChatReservations } from '#server/features/chat/stores/memory/chat-reservations.ts';
import { ask, askForStream, completionsPath, spentToday, startChatServer, until } from '#test/support/chat.ts';
import { broken, charged, nothing, said, words } from '#test/support/chat-charges.ts';
import type { TestServer } from '#test/support/server.ts';

const env = { CUBBY_AI_STREAMING: 'on' };
const inputTokens = countTokens(words);

/** Opens a stream, and returns its text as soon as that has come. */
async function openStream(server: TestServer, credential: string, wanted: string, signal: AbortSignal) {
  const response = await fetch(server.running.urls.api + completionsPath, {
    method: 'POST',
    headers: { authorization: credential, 'content-type': 'application/json' },
    body: JSON.stringify({ stream: true, messages: [{ role: 'user', content: words }] }),
    signal,
  });
  let received = '';
  for await (const chunk of response.body!.pipeThrough(new TextDecoderStream())) {
    received += chunk;
    const text = [...received.matchAll(/"content":("(?:[^"\\]|\\.)*")/g)].map(([, json]) => JSON.parse(json!)).join('');
    if (text === wanted) return text;
  }
  throw new Error(`The stream ended: ${received}`);
}

describe('a stream that breaks off is charged what the model has written', () => {
  it('when the client disconnects, and the upstream is stopped', async () => {
    const { server, upstream } = await startChatServer({ env });
    const { credential } = await server.account('standard');
    upstream.answer(broken('open'));
    const gone = new AbortController();
    await openStream(server, credential, said, gone.signal);
    expect(upstream.requests[0]!.isAbandoned).toBe(false);
    gone.abort();
    await until(() => upstream.requests[0]!.isAbandoned);
    await until(async () => (await spentToday(server, credential)).requests === 1);
    expect(await spentToday(server, credential)).toEqual(charged(inputTokens, countTokens(said)));
    expect((await ask(server, credential, 'at once')).json().error.code).toBe('rate_limit_exceeded');
    expect(server.log.filter(({ message }) => message === 'fault')).toEqual([]);
  });

  it('as the upstream has counted it, if it has counted all of it', async () => {
    const { server, upstream } = await startChatServer({ env });
    const { credential } = await server.account('standard');
    upstream.answer(broken('open', eventOf({ choices: [], usage: { prompt_tokens: 300, completion_tokens: 21 } })));
    const gone = new AbortController();
    await openStream(server, credential, said, gone.signal);
    await new Promise((resolve) => setTimeout(resolve, 100));
    gone.abort();
    await until(async () => (await spentToday(server, credential)).requests === 1);
    expect(await spentToday(server, credential)).toEqual(charged(300, 21));
  });

  it.each([
    ['closes its connection', broken('hang-up')],
    ['ends without finish_reason and [DONE]', broken('end')],
    [
      'sends an error',
      broken('open', eventOf({ error: { message: 'CUDA out of memory on gpu-7.internal', code: 500 } })),
    ],
    ['sends nonsense', broken('open', 'data: {"choices": [NaN]}\n\n')],
    ['sends an event without an end', broken('open', `data: ${'x'.repeat(300_000)}`)],
  ])('when the upstream %s', async (_, behaviour) => {
    const { server, upstream } = await startChatServer({ env });
    const { credential } = await server.account('standard');
    upstream.answer(behaviour);
    const { status, events, text } = await askForStream(server, credential, words);
    expect(status).toBe(200);
    expect(text).toBe(said);
    expect(events.at(-1)).toEqual({
      error: { message: expect.any(String), type: 'server_error', param: null, code: 'server_overloaded' },
    });
    expect(JSON.stringify(events)).not.toMatch(/CUDA|internal|\[DONE\]/);
    expect(await spentToday(server, credential)).toEqual(charged(inputTokens, countTokens(said)));
    expect(upstream.requests).toHaveLength(1);
  });

  it('when the time is over', async () => {
    const { server, upstream } = await startChatServer({ env, completionDeadlineMs: 700 });
    const { credential } = await server.account('standard');
    upstream.answer(broken('open'));
    const { events } = await askForStream(server, credential, words);
    expect(events.at(-1).error.code).toBe('server_overloaded');
    await until(() => upstream.requests[0]!.isAbandoned);
    expect(await spentToday(server, credential)).toEqual(charged(inputTokens, countTokens(said)));
  });

  it('with the thoughts of the model, which nobody sees', async () => {
    const { server, upstream } = await startChatServer({ env });
    const { credential } = await server.account('standard');
    upstream.answer(broken('hang-up', chunkOf({ reasoning_content: 'Is that so?' })));
    const { events } = await askForStream(server, credential, words);
    expect(JSON.stringify(events)).not.toContain('Is that so?');
    expect(await spentToday(server, credential)).toEqual(
      charged(inputTokens, countTokens(said) + countTokens('Is that so?')),
    );
  });

  it('and nothing at all when the store fails, which the client is told', async () => {
    let isBroken = false;
    const metadata = (real: Metadata): Metadata => ({
      read: real.read,
      atomically: (work) => (isBroken ? Promise.reject(new Error('the disk is gone')) : real.atomically(work)),
    });
    const chatReservations = (store: Metadata) => new MemoryChatReservations(store);
    const { server, upstream } = await startChatServer({ env, metadata, chatReservations });
    const { credential } = await server.account('standard');
    await spentToday(server, credential);
    upstream.answer(() => ((isBroken = true), { text: said }));
    const { events } = await askForStream(server, credential, words);
    expect(events.at(-1).error).toMatchObject({ type: 'server_error', code: 'internal_server_error' });
    isBroken = false;
    expect(await spentToday(server, credential)).toEqual(nothing);
    expect(server.log.some(({ message }) => message === 'fault')).toBe(true);
  });
});

describe('before its first piece a stream fails as a plain request does', () => {
  it.each([
    ['refuses the key', { status: 401 }],
    ['fails', { status: 500 }],
    ['hangs up', 'hang-up'],
    ['sends an error at once', { pieces: [eventOf({ error: { message: 'no' } })] }],
    ['sends no event', { pieces: ['<html>'], headers: { 'content-type': 'text/html' } }],
  ] as const)('free of charge when the upstream %s', async (_, behaviour) => {
    const { server, upstream } = await startChatServer({ env });
    const { credential } = await server.account('standard');
    upstream.answer(behaviour);
    const answer = await ask(server, credential, { stream: true, messages: [{ role: 'user', content: words }] });
    expect([answer.status, answer.json().error.code, answer.headers.get('retry-after')]).toEqual([
      503,
      'server_overloaded',
      '2',
    ]);
    expect(await spentToday(server, credential)).toEqual(nothing);
  });

  it('and another server is asked, but only until then', async () => {
    const [first, second] = [await startChatUpstream(), await startChatUpstream()];
    onTestFinished(async () => void (await Promise.all([first.close(), second.close()])));
    const { server } = await startChatServer({
      env: { ...env, CUBBY_AI_UPSTREAM_URL: `${first.url},${second.url}` },
    });
    const { credential } = await server.account('enterprise');
    second.answer({ text: said });
    first.answer({ pieces: [chunkOf({ role: 'assistant', content: '' })], atEnd: 'hang-up' }, broken('hang-up'));
    expect((await askForStream(server, credential, 'hello')).text).toBe(said);
    expect((await askForStream(server, credential, 'hello')).events.at(-1).error.code).toBe('server_overloaded');
    expect([first.requests.length, second.requests.length]).toEqual([2, 1]);
  });

  it('an empty stream is asked for once more, and its input is charged', async () => {
    const { server, upstream } = await startChatServer({ env });
    const { credential } = await server.account('standard');
    upstream.answer({ text: '' });
    const answer = await ask(server, credential, { stream: true, messages: [{ role: 'user', content: words }] });
    expect([answer.status, answer.json().error.code]).toEqual([503, 'server_overloaded']);
    expect(upstream.requests).toHaveLength(2);
    expect(await spentToday(server, credential)).toEqual(charged(inputTokens, 0));
  });
});

describe('a complete stream', () => {
  it('without a usage is charged what the tokenizer counts, and says so', async () => {
    const { server, upstream } = await startChatServer({ env });
    const { credential } = await server.account('standard');
    upstream.answer({ text: said, usage: null });
    const body = { messages: [{ role: 'user', content: words }], stream_options: { include_usage: true } };
    const { events } = await askForStream(server, credential, body);
    expect(events.at(-2).usage).toEqual({
      prompt_tokens: inputTokens,
      completion_tokens: countTokens(said),
      total_tokens: inputTokens + countTokens(said),
    });
    expect(await spentToday(server, credential)).toEqual(charged(inputTokens, countTokens(said)));
  });

  it.each([
    ['a usage that is no count', { prompt_tokens: -5, completion_tokens: 'many' }],
    ['a usage of 0', { prompt_tokens: 0, completion_tokens: 0 }],
    ['a usage beyond all models', { prompt_tokens: 1e12, completion_tokens: 1e12 }],
  ])('with %s is charged what the tokenizer counts', async (_, usage) => {
    const { server, upstream } = await startChatServer({ env });
    const { credential } = await server.account('standard');
    upstream.answer({ text: said, usage });
    await askForStream(server, credential, words);
    expect(await spentToday(server, credential)).toEqual(charged(inputTokens, countTokens(said)));
  });

  it('may miss its [DONE], go on behind it, or never close', async () => {
    const { server, upstream } = await startChatServer({ env });
    const { credential } = await server.account('enterprise');
    const whole = [...chunksOf({ text: said })];
    upstream.answer(
      { pieces: whole.slice(0, -1) },
      { pieces: [...whole, chunkOf({ content: 'more' }), 'data: nonsense\n\n'] },
      { pieces: whole, atEnd: 'open' },
    );
    for (let time = 0; time < 3; time++) {
      const { text, events } = await askForStream(server, credential, 'hello');
      expect([text, events.at(-1)]).toEqual([said, '[DONE]']);
    }
    expect(await spentToday(server, credential)).toEqual({ requests: 3, tokens: 51, spend: 3 * (12 + 20) });
  });
});
