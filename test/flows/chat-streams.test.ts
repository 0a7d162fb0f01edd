import { describe, expect, it } from 'vitest';

import { ask, askForStream, spentToday, startChatServer } from '#test/support/chat.ts';
import { startTestServer } from '#test/support/server.ts';

const question = { role: 'user', content: 'What is an ETag?' };
const streaming = { CUBBY_AI_STREAMING: 'on' };

describe('a streamed answer', () => {
  it('has the chunks of chat clients, names cubic, and is charged the usage of the upstream', async () => {
    const { server, upstream } = await startChatServer({ env: streaming });
    const { credential } = await server.account('pro');
    upstream.answer({ text: 'A mark of one version.', usage: { prompt_tokens: 24, completion_tokens: 22 } });
    const { status, headers, events } = await askForStream(server, credential, {
      messages: [question],
      stream_options: { include_usage: true },
    });
    expect([
      status,
      headers.get('content-type'),
      headers.get('cache-control'),
      headers.get('x-accel-buffering'),
    ]).toEqual([200, 'text/event-stream; charset=utf-8', 'no-store', 'no']);
    expect(headers.get('x-cubby-responder')).toBeNull();
    const { id } = events[0];
    expect(id).toMatch(/^chatcmpl-[a-z2-7]{26}$/);
    const chunk = (delta: object, finish_reason: string | null = null) => ({
      id,
      object: 'chat.completion.chunk',
      created: Math.floor(server.clock.now() / 1000),
      model: 'cubic',
      choices: [{ index: 0, delta, finish_reason }],
    });
    expect(events).toEqual([
      chunk({ role: 'assistant', content: '' }),
      ...['A ', 'mark ', 'of ', 'one ', 'version.'].map((content) => chunk({ content })),
      chunk({}, 'stop'),
      { ...chunk({}), choices: [], usage: { prompt_tokens: 24, completion_tokens: 22, total_tokens: 46 } },
      '[DONE]',
    ]);
    expect(await spentToday(server, credential)).toEqual({ requests: 1, tokens: 46, spend: 24 + 4 * 22 });
    expect(upstream.requests[0]!.body).toMatchObject({ stream: true, stream_options: { include_usage: true } });
  });

  it('has no usage unless it is asked for', async () => {
    const { server } = await startChatServer({ env: streaming });
    const { credential } = await server.account('pro');
    const { events } = await askForStream(server, credential, 'hello');
    expect(events.some((event) => event === '[DONE]' || 'usage' in event === false)).toBe(true);
    expect(events.at(-1)).toBe('[DONE]');
    expect(JSON.stringify(events)).not.toContain('usage');
  });

  it('streams calls of functions', async () => {
    const { server, upstream } = await startChatServer({ env: streaming });
    const { credential } = await server.account('pro');
    const tools = [{ type: 'function', function: { name: 'find_invoice', parameters: { type: 'object' } } }];
    upstream.answer({ toolCalls: [{ id: 'call_1', name: 'find_invoice', arguments: '{"month":"2026-04"}' }] });
    const { events } = await askForStream(server, credential, { messages: [question], tools });
    expect(events.slice(1, -2).map(({ choices }) => choices[0].delta.tool_calls[0])).toEqual([
      { index: 0, id: 'call_1', type: 'function', function: { name: 'find_invoice', arguments: '' } },
      { index: 0, function: { arguments: '{"month":' } },
      { index: 0, function: { arguments: '"2026-04"}' } },
    ]);
    expect(events.at(-2).choices[0].finish_reason).toBe('tool_calls');
  });

  it('comes from the development responder too', async () => {
    const server = await startTestServer({ env: streaming });
    const { credential } = await server.account('pro');
    const body = { messages: [question] };
    const { text, headers, events } = await askForStream(server, credential, body);
    server.clock.advance(10_000);
    expect(text).toBe((await ask(server, credential, body)).json().choices[0].message.content);
    expect(headers.get('x-cubby-responder')).toBe('development');
    expect(events.length).toBeGreaterThan(10);
  });

  it('is rejected unless the operator has switched it on', async () => {
    const { server, upstream } = await startChatServer();
    const { credential } = await server.account('standard');
    const answer = await ask(server, credential, { messages: [question], stream: true });
    expect([answer.status, answer.json().error.code]).toEqual([400, 'stream_not_supported']);
    expect(upstream.requests).toHaveLength(0);
    expect(await spentToday(server, credential)).toEqual({ requests: 0, tokens: 0, spend: 0 });
    expect((await ask(server, credential, { messages: [question], stream: false })).status).toBe(200);
  });
});
