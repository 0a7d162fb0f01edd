import { describe, expect, it } from 'vitest';

import type { UpstreamMessage } from '#mocks/chat-upstream-answers.ts';
import { ask, askForStream, spentToday, startChatServer } from '#test/support/chat.ts';

const env = { CUBBY_AI_STREAMING: 'on' };
const question = { role: 'user', content: 'What is an ETag?' };
const body = { messages: [question], stream_options: { include_usage: true } };
const search = { id: 's', name: 'web_search', arguments: '{"query":"etag"}' };
const find = { id: 'f', name: 'find', arguments: '{"a":1}' };
const tools = [{ type: 'function', function: { name: 'find', parameters: { type: 'object' } } }];
const cites: UpstreamMessage = {
  text: '漢 A mark (https://example.com/etag).',
  usage: { prompt_tokens: 300, completion_tokens: 20 },
};

async function setUp() {
  const setup = await startChatServer({ search: true, env });
  return { ...setup, credential: (await setup.server.account('enterprise')).credential };
}

describe('web search in a stream', () => {
  it("shows the final text, with the plain answer's citations in the last chunk, and charges all rounds", async () => {
    const { server, upstream, searxng, credential } = await setUp();
    const searches = {
      text: 'Let me look.',
      toolCalls: [search],
      usage: { prompt_tokens: 100, completion_tokens: 10 },
    };
    upstream.answer(searches, cites, searches, cites);
    const { events, text } = await askForStream(server, credential, body);
    const plain = (await ask(server, credential, { messages: [question] })).json();
    expect(text).toBe(plain.choices[0].message.content);
    expect(events.at(-3).choices[0]).toEqual({
      index: 0,
      delta: { annotations: plain.choices[0].message.annotations },
      finish_reason: 'stop',
    });
    expect(plain.choices[0].message.annotations).toHaveLength(1);
    expect(events.at(-2).usage).toEqual(plain.usage);
    expect(JSON.stringify(events)).not.toMatch(/web_search|Let me look/);
    expect(searxng.queries).toEqual(['etag', 'etag']);
    expect(await spentToday(server, credential)).toEqual({ requests: 2, tokens: 860, spend: 2 * (400 + 4 * 30) });
  });

  it('lists the sources behind a text that cites none', async () => {
    const { server, upstream, credential } = await setUp();
    upstream.answer({ toolCalls: [search] }, { text: 'A mark.' }, { toolCalls: [search] }, { text: 'A mark.' });
    const { events, text } = await askForStream(server, credential, body);
    const { message } = (await ask(server, credential, { messages: [question] })).json().choices[0];
    expect(text).toBe(message.content);
    expect(text).toContain('Sources:\n- https://example.com/etag');
    expect(events.at(-3).choices[0].delta.annotations).toEqual(message.annotations);
  });

  it('keeps a long text before a search, and cites both', async () => {
    const { server, upstream, credential } = await setUp();
    const before = `As https://example.com/etag says: ${'words '.repeat(50)}`;
    upstream.answer({ text: before, toolCalls: [search] }, cites);
    const { events, text } = await askForStream(server, credential, body);
    expect(text).toBe(`${before}\n\n${cites.text}`);
    const annotations = events.at(-3).choices[0].delta.annotations as any[];
    const cited = annotations.map(({ url_citation: { start_index, end_index } }) => text.slice(start_index, end_index));
    expect(cited).toEqual(['https://example.com/etag', 'https://example.com/etag']);
  });

  it('streams calls of the own functions, and drops the searches beside them', async () => {
    const { server, upstream, searxng, credential } = await setUp();
    upstream.answer({ text: 'Both.', toolCalls: [search, find] });
    const { events } = await askForStream(server, credential, { ...body, tools });
    const deltas = events.slice(0, -2).map(({ choices }) => choices[0].delta);
    expect(deltas.map(({ content }) => content ?? '').join('')).toBe('Both.');
    const calls = deltas.flatMap(({ tool_calls: calls }) => calls ?? []);
    expect(calls[0]).toMatchObject({ index: 0, id: 'f', function: { name: 'find' } });
    expect(calls.map((one) => one.function.arguments).join('')).toBe('{"a":1}');
    expect(searxng.queries).toEqual([]);
    expect(events.at(-3).choices[0].finish_reason).toBe('tool_calls');
  });

  it('is left out for a model that takes no functions', async () => {
    const { server, upstream, credential } = await setUp();
    upstream.answer(({ body: { tools: offered } }) =>
      offered ? { status: 400, body: { error: { message: 'tiny does not support tools' } } } : { text: 'Without.' },
    );
    expect((await askForStream(server, credential, body)).text).toBe('Without.');
    expect(upstream.requests).toHaveLength(2);
  });

  it('is charged the first round when the second one breaks off', async () => {
    const { server, upstream, credential } = await setUp();
    const usage = { prompt_tokens: 100, completion_tokens: 10 };
    upstream.answer({ toolCalls: [search], usage }, { status: 500 });
    const answer = await ask(server, credential, { ...body, stream: true });
    expect([answer.status, answer.json().error.code]).toEqual([503, 'server_overloaded']);
    expect((await spentToday(server, credential)).tokens).toBe(110);
  });
});

describe('comments in a stream', () => {
  const silent = { pieces: [], atEnd: 'open' as const };

  it('keep it open while nothing comes', async () => {
    const { server, upstream } = await startChatServer({
      env: { ...env, CUBBY_AI_STREAM_KEEPALIVE_SECONDS: '1' },
      completionDeadlineMs: 2600,
    });
    const { credential } = await server.account('enterprise');
    upstream.answer(silent);
    const { status, comments, events } = await askForStream(server, credential, body);
    // The status went out with the first comment.
    expect([status, events.at(-1).error.code]).toEqual([200, 'server_overloaded']);
    expect(comments.length).toBeGreaterThan(0);
  });

  it('can be switched off', async () => {
    const { server, upstream } = await startChatServer({
      env: { ...env, CUBBY_AI_STREAM_KEEPALIVE_SECONDS: 'off' },
      completionDeadlineMs: 1500,
    });
    const { credential } = await server.account('enterprise');
    upstream.answer(silent);
    const answer = await ask(server, credential, { ...body, stream: true });
    expect([answer.status, answer.json().error.code]).toEqual([503, 'server_overloaded']);
  });
});
