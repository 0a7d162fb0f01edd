import { countTokens } from 'gpt-tokenizer/encoding/cl100k_base';
import { describe, expect, it } from 'vitest';

import { chunkOf, eventOf } from '#mocks/chat-upstream-answers.ts';
import { ask, spentToday, startChatServer, until } from '#test/support/chat.ts';
import { broken, charged, nothing, said, startWithAccount, words } from '#test/support/chat-charges.ts';
import { messagesPath, sendMessage } from '#test/support/messages.ts';
import { eventsOf } from '#test/support/responses.ts';

const hello = { messages: [{ role: 'user', content: 'hello' }] };
const long = { messages: [{ role: 'user', content: words }], stream: true };

const setUp = (plan: 'standard' | 'enterprise' = 'enterprise', more: object = {}) => startWithAccount(more, plan);

describe('messages', () => {
  it('are rejected in their own form if the operator has switched them off', async () => {
    const { server, upstream } = await startChatServer({ env: { CUBBY_AI_MESSAGES: 'off' } });
    const { credential } = await server.account('standard');
    const answer = await sendMessage(server, credential, hello);
    expect([answer.status, answer.json()]).toEqual([
      400,
      {
        type: 'error',
        error: {
          type: 'invalid_request_error',
          code: 'messages_not_supported',
          message: expect.stringContaining('CUBBY_AI_MESSAGES=on'),
        },
      },
    ]);
    expect([upstream.requests.length, await spentToday(server, credential)]).toEqual([0, nothing]);
  });

  it('take the key as X-Api-Key, unless Authorization has another one', async () => {
    const { server, credential } = await setUp();
    const send = (headers: Record<string, string>, path = messagesPath) =>
      fetch(server.running.urls.api + path, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'anthropic-version': '2023-06-01', ...headers },
        body: JSON.stringify(hello),
      });
    expect((await send({ 'x-api-key': credential })).status).toBe(200);
    expect((await send({ authorization: `Bearer ${credential}`, 'x-api-key': 'cbk_wrong' })).status).toBe(200);
    for (const headers of [{}, { 'x-api-key': '' }, { 'x-api-key': 'cbk_wrong' }]) {
      const answer = await send(headers);
      const body = (await answer.json()) as { readonly error: object };
      expect([answer.status, body.error]).toMatchObject([401, { type: 'authentication_error', code: 'access_denied' }]);
    }
    expect((await send({ authorization: 'cbk_wrong', 'x-api-key': credential })).status).toBe(401);
    expect((await send({ 'x-api-key': credential }, '/v2/ai/chat/completions')).status).toBe(401);
  });

  it('send their parameters and blocks to the model', async () => {
    const { server, upstream, credential } = await setUp();
    const tool = { name: 'find', description: 'Finds it.', input_schema: { type: 'object' } };
    await sendMessage(server, credential, {
      system: [
        { type: 'text', text: 'Be brief.', cache_control: { type: 'ephemeral' } },
        { type: 'text', text: 'Be kind.' },
      ],
      messages: [
        { role: 'user', content: [{ type: 'text', text: 'Lima?' }] },
        {
          role: 'assistant',
          content: [
            { type: 'thinking', thinking: 'Hm.', signature: 'x' },
            { type: 'text', text: 'I look.' },
            { type: 'tool_use', id: 'a', name: 'find', input: { place: 'Lima' } },
            { type: 'tool_use', id: 'b', name: 'find', input: {} },
          ],
        },
        {
          role: 'user',
          content: [
            { type: 'tool_result', tool_use_id: 'b', content: 'no place', is_error: true },
            { type: 'tool_result', tool_use_id: 'a', content: [{ type: 'text', text: 'sun' }] },
            { type: 'text', text: 'And now?' },
          ],
        },
      ],
      max_tokens: 50,
      stop_sequences: ['END'],
      temperature: 0.5,
      top_p: 0.9,
      tools: [tool],
      tool_choice: { type: 'any', disable_parallel_tool_use: true },
    });
    const call = (id: string, text: string) => ({ id, type: 'function', function: { name: 'find', arguments: text } });
    expect(upstream.requests[0]!.body).toMatchObject({
      messages: [
        { role: 'system', content: 'Be brief.\nBe kind.' },
        { role: 'user', content: 'Lima?' },
        { role: 'assistant', content: 'I look.', tool_calls: [call('a', '{"place":"Lima"}'), call('b', '{}')] },
        { role: 'tool', tool_call_id: 'b', content: 'Error: no place' },
        { role: 'tool', tool_call_id: 'a', content: 'sun' },
        { role: 'user', content: 'And now?' },
      ],
      max_tokens: 50,
      stop: ['END'],
      temperature: 0.5,
      top_p: 0.9,
      tools: [
        { type: 'function', function: { name: 'find', description: 'Finds it.', parameters: { type: 'object' } } },
      ],
      tool_choice: 'required',
      parallel_tool_calls: false,
    });
  });

  it.each([
    ['stop', 'end_turn'],
    ['length', 'max_tokens'],
    ['content_filter', 'refusal'],
  ])('that end with %s have the reason %s', async (finishReason, stop_reason) => {
    const { server, upstream, credential } = await setUp();
    upstream.answer({ text: 'An ETag', finishReason });
    const usage = { input_tokens: 12, output_tokens: 5, cache_creation_input_tokens: 0, cache_read_input_tokens: 0 };
    expect((await sendMessage(server, credential, hello)).json()).toEqual({
      id: expect.stringMatching(/^msg_[a-z2-7]{26}$/),
      type: 'message',
      role: 'assistant',
      model: 'cubic',
      content: [{ type: 'text', text: 'An ETag' }],
      stop_reason,
      stop_sequence: null,
      usage,
    });
    const events = eventsOf(await sendMessage(server, credential, { ...hello, stream: true }));
    expect(events.map(({ type }) => type)).toEqual([
      'message_start',
      'ping',
      'content_block_start',
      'content_block_delta',
      'content_block_delta',
      'content_block_stop',
      'message_delta',
      'message_stop',
    ]);
    expect(events.at(-2)).toEqual({ type: 'message_delta', delta: { stop_reason, stop_sequence: null }, usage });
  });

  it('have one open block at a time, also when the pieces of calls come in turns', async () => {
    const { server, upstream, credential } = await setUp();
    const piece = (index: number, more: object) => chunkOf({ tool_calls: [{ index, ...more }] });
    const begin = (index: number) => piece(index, { id: `c${index}`, function: { name: 'find', arguments: '' } });
    const more = (index: number, text: string) => piece(index, { function: { arguments: text } });
    upstream.answer({
      pieces: [
        chunkOf({ content: 'I look.' }),
        begin(0),
        begin(1),
        more(0, '{"a"'),
        more(1, '{"b"'),
        more(0, ':1}'),
        more(1, ':2}'),
        chunkOf({}, 'tool_calls'),
        eventOf('[DONE]'),
      ],
    });
    const body = { ...hello, tools: [{ name: 'find' }], stream: true };
    const events = eventsOf(await sendMessage(server, credential, body));
    const blocks = events.filter(({ type }) => type.startsWith('content_block'));
    // Each block ends before the next one begins.
    const ends = blocks.filter(({ type }) => type !== 'content_block_delta');
    expect(ends.map(({ type, index }) => [type, index])).toEqual(
      [0, 1, 2].flatMap((index) => [
        ['content_block_start', index],
        ['content_block_stop', index],
      ]),
    );
    expect(blocks.map(({ index }) => index)).toEqual(blocks.map(({ index }) => index).toSorted());
    const written = (at: number) =>
      blocks.filter(({ index, delta }) => index === at && delta).map(({ delta }) => delta.partial_json ?? delta.text);
    expect([0, 1, 2].map((at) => written(at).join(''))).toEqual(['I look.', '{"a":1}', '{"b":2}']);
    expect(events.at(-2).delta.stop_reason).toBe('tool_use');
  });

  it('are kept open with pings while the model says nothing', async () => {
    const { server, upstream, credential } = await setUp('enterprise', {
      env: { CUBBY_AI_STREAM_KEEPALIVE_SECONDS: '1' },
    });
    upstream.answer({ text: 'An ETag', pauseMs: 1200 });
    const answer = await sendMessage(server, credential, { ...hello, stream: true });
    expect(answer.body.toString()).not.toContain(': keep-alive');
    expect(eventsOf(answer).filter(({ type }) => type === 'ping').length).toBeGreaterThan(1);
  });

  it('give arguments that are no JSON object as a text', async () => {
    const { server, upstream, credential } = await setUp();
    upstream.answer({ toolCalls: [{ id: 'c', name: 'find', arguments: '[1]' }] });
    const { content } = (await sendMessage(server, credential, { ...hello, tools: [{ name: 'find' }] })).json();
    expect(content).toEqual([{ type: 'tool_use', id: 'c', name: 'find', input: { arguments: '[1]' } }]);
  });

  it('of the system may stand anywhere, and go behind the results that they come before', async () => {
    const { server, upstream, credential } = await setUp();
    const use = { type: 'tool_use', id: 'a', name: 'find', input: {} };
    const of = (role: string, content: unknown) => ({ role, content });
    const answer = await sendMessage(server, credential, {
      system: 'First.',
      messages: [
        of('system', 'Second.'),
        ...hello.messages,
        of('system', [
          { type: 'text', text: 'Third.' },
          { type: 'text', text: 'Fourth.' },
        ]),
        of('assistant', [use, { ...use, id: 'b' }]),
        of('system', 'Fifth.'),
        of('user', [{ type: 'tool_result', tool_use_id: 'a', content: 'here' }]),
        of('system', 'Sixth.'),
        of('user', [{ type: 'tool_result', tool_use_id: 'b', content: 'there' }]),
      ],
    });
    expect(answer.status).toBe(200);
    const asked = upstream.requests[0]!.body.messages as any[];
    expect(asked.map(({ role, content }) => [role, content])).toEqual([
      ['system', 'First.'],
      ['system', 'Second.'],
      ['user', 'hello'],
      ['system', 'Third.\nFourth.'],
      ['assistant', null],
      ['tool', 'here'],
      ['tool', 'there'],
      ['system', 'Fifth.'],
      ['system', 'Sixth.'],
    ]);
  });

  it('go to the model without the tools and blocks that the gateway cannot run', async () => {
    const { server, upstream, credential } = await setUp();
    const searched = [
      { type: 'thinking', thinking: 'Hm.', signature: 'x' },
      { type: 'server_tool_use', id: 's', name: 'web_search', input: {} },
      { type: 'web_search_tool_result', tool_use_id: 's', content: [{ type: 'web_search_result', url: 'https://a' }] },
    ];
    const tools = [
      { type: 'web_search_20250305', name: 'web_search', max_uses: 5 },
      { name: 'find' },
      { type: 'bash_20250124', name: 'bash' },
      { type: 'mcp_toolset', mcp_server_name: 'a.b' },
    ];
    const messages = [
      ...hello.messages,
      { role: 'assistant', content: searched },
      { role: 'assistant', content: [...searched, { type: 'text', text: 'I look.' }] },
      { role: 'user', content: 'And now?' },
    ];
    expect((await sendMessage(server, credential, { messages, tools })).status).toBe(200);
    const { messages: asked, tools: offered } = upstream.requests[0]!.body as any;
    expect(asked).toEqual([
      { role: 'user', content: 'hello' },
      { role: 'assistant', content: 'I look.' },
      { role: 'user', content: 'And now?' },
    ]);
    expect(offered.map((tool: any) => tool.function.name)).toEqual(['find']);
    // A choice of a tool that is left out would change what was asked for.
    for (const tool_choice of [{ type: 'tool', name: 'bash' }, { type: 'any' }]) {
      const refused = await sendMessage(server, credential, { messages, tools: tools.toSpliced(1, 1), tool_choice });
      expect([refused.status, refused.json().error.code]).toEqual([400, 'invalid_tool_choice']);
    }
  });

  it('name the message whose result answers no call', async () => {
    const { server, credential } = await setUp();
    const content = [{ type: 'tool_result', tool_use_id: 'b', content: '1' }];
    const body = { system: 'Be brief.', messages: [...hello.messages, { role: 'user', content }] };
    expect((await sendMessage(server, credential, body)).json().error).toMatchObject({
      code: 'invalid_request',
      message: expect.stringMatching(/^messages\[1\] answers no open tool call\. Each tool_result/),
    });
  });
});

describe('the charge of messages', () => {
  it('is that of the model for whole ones and streams, under the limits of chats', async () => {
    const { server, upstream, credential } = await setUp('standard');
    upstream.answer({ text: said, usage: { prompt_tokens: 24, completion_tokens: 22 } });
    expect((await sendMessage(server, credential, { ...hello, stream: true })).status).toBe(200);
    expect(await spentToday(server, credential)).toEqual(charged(24, 22));
    const again = await sendMessage(server, credential, hello);
    expect([again.status, again.json().error]).toMatchObject([
      429,
      { type: 'rate_limit_error', code: 'rate_limit_exceeded' },
    ]);
    expect((await ask(server, credential, 'hello')).json().error.code).toBe('rate_limit_exceeded');
  });

  it.each([
    ['hangs up', broken('hang-up')],
    ['ends early', broken('end')],
    ['sends an error', broken('open', eventOf({ error: { message: 'CUDA out of memory on gpu-7.internal' } }))],
    ['sends nonsense', broken('open', 'data: {"choices": [NaN]}\n\n')],
  ])('is what the model has written when the upstream %s', async (_, behaviour) => {
    const { server, upstream, credential } = await setUp('standard');
    upstream.answer(behaviour);
    const answer = await sendMessage(server, credential, long);
    expect([answer.status, eventsOf(answer).at(-1)]).toEqual([
      200,
      { type: 'error', error: { type: 'overloaded_error', code: 'server_overloaded', message: expect.any(String) } },
    ]);
    expect(answer.body.toString()).not.toMatch(/CUDA|internal/);
    expect(await spentToday(server, credential)).toEqual(charged(countTokens(words), countTokens(said)));
  });

  it('is what the model has written when the client disconnects, and the upstream is stopped', async () => {
    const { server, upstream, credential } = await setUp('standard');
    upstream.answer(broken('open'));
    const gone = new AbortController();
    const response = await fetch(server.running.urls.api + messagesPath, {
      method: 'POST',
      headers: { 'x-api-key': credential, 'content-type': 'application/json' },
      body: JSON.stringify(long),
      signal: gone.signal,
    });
    let received = '';
    for await (const chunk of response.body!.pipeThrough(new TextDecoderStream())) {
      received += chunk;
      if (received.includes('"text":"it."')) break;
    }
    gone.abort();
    await until(() => upstream.requests[0]!.isAbandoned);
    await until(async () => (await spentToday(server, credential)).requests === 1);
    expect(await spentToday(server, credential)).toEqual(charged(countTokens(words), countTokens(said)));
    expect(server.log.filter(({ message }) => message === 'fault')).toEqual([]);
  });

  it.each([
    ['refuses the key', { status: 401 }],
    ['hangs up', 'hang-up'],
  ] as const)('is nothing when the upstream %s before its first piece', async (_, behaviour) => {
    const { server, upstream, credential } = await setUp('standard');
    upstream.answer(behaviour);
    const answer = await sendMessage(server, credential, long);
    expect([answer.status, answer.json().error.type]).toEqual([503, 'overloaded_error']);
    expect(await spentToday(server, credential)).toEqual(nothing);
  });
});
