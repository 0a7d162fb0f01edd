import { countTokens } from 'gpt-tokenizer/encoding/cl100k_base';
import { describe, expect, it } from 'vitest';

import { chunkOf, eventOf } from '#mocks/chat-upstream-answers.ts';
import { ask, spentToday, startChatServer, until } from '#test/support/chat.ts';
import { broken, charged, nothing, said, startWithAccount, words } from '#test/support/chat-charges.ts';
import { eventsOf, respond } from '#test/support/responses.ts';

const setUp = (plan: 'standard' | 'enterprise' = 'enterprise', more: object = {}) => startWithAccount(more, plan);

describe('responses', () => {
  it('are rejected if the operator has switched them off', async () => {
    const { server, upstream } = await startChatServer({ env: { CUBBY_AI_RESPONSES: 'off' } });
    const { credential } = await server.account('standard');
    const answer = await respond(server, credential, { input: 'hello' });
    expect([answer.status, answer.json().error.code]).toEqual([400, 'responses_not_supported']);
    expect([upstream.requests.length, await spentToday(server, credential)]).toEqual([0, nothing]);
  });

  it('go to the model without the tools and items that the gateway cannot run', async () => {
    const { server, upstream, credential } = await setUp();
    const find = { type: 'function', name: 'find' };
    const call = { type: 'function_call', call_id: 'a', name: 'find', arguments: '{}' };
    const tools = [
      { type: 'namespace', name: 'agents.v1', tools: [find] },
      find,
      { type: 'web_search', external_web_access: false },
      { type: 'mcp', server_label: 'a' },
    ];
    const input = [
      { role: 'developer', content: 'Be brief.' },
      { role: 'user', content: 'hello' },
      { type: 'web_search_call', id: 'ws_1', status: 'completed', action: { type: 'search', query: 'etag' } },
      call,
      { type: 'tool_search_call', call_id: 'b', arguments: { query: 'a' } },
      { role: 'developer', content: 'Be kind.' },
      { type: 'shell_call_output', call_id: 'c', output: [{ stdout: 'a', stderr: '' }] },
      { type: 'computer_call_output', call_id: 'd', output: { type: 'computer_screenshot' } },
      { type: 'function_call_output', call_id: 'a', output: 'here' },
    ];
    const choice = { type: 'allowed_tools', mode: 'auto', tools: [find, { type: 'mcp', server_label: 'a' }] };
    const answer = await respond(server, credential, { input, tools, tool_choice: choice });
    expect([answer.status, answer.json().tools]).toMatchObject([200, [{ name: 'find' }]]);
    const { messages, tools: offered } = upstream.requests[0]!.body as any;
    expect(messages.map(({ role, content }: any) => [role, content])).toEqual([
      ['system', 'Be brief.'],
      ['user', 'hello'],
      ['assistant', null],
      ['tool', 'here'],
      ['system', 'Be kind.'],
    ]);
    expect(offered.map((tool: any) => tool.function.name)).toEqual(['find']);
    // A choice of a tool that is left out would change what was asked for.
    const onlyOthers = { ...choice, tools: [{ type: 'mcp', server_label: 'a' }] };
    for (const tool_choice of [{ type: 'web_search' }, onlyOthers]) {
      const refused = await respond(server, credential, { input, tools, tool_choice });
      expect([refused.status, refused.json().error.code]).toEqual([400, 'invalid_tool_choice']);
    }
  });

  it('send their parameters to the model, and repeat them', async () => {
    const { server, upstream, credential } = await setUp();
    const tool = {
      type: 'function',
      name: 'find',
      description: 'Finds it.',
      parameters: { type: 'object' },
      strict: true,
    };
    const other = { ...tool, name: 'other' };
    const body = {
      input: 'hello',
      max_output_tokens: 50,
      temperature: 0.5,
      top_p: 0.9,
      presence_penalty: 0.1,
      frequency_penalty: 0.2,
      tools: [tool, other],
      tool_choice: { type: 'allowed_tools', mode: 'required', tools: [{ type: 'function', name: 'find' }] },
      parallel_tool_calls: false,
      text: { format: { type: 'json_object' }, verbosity: 'low' },
      reasoning: { effort: 'low' },
      metadata: { ticket: '7' },
      truncation: 'disabled',
    };
    const answer = (await respond(server, credential, body)).json();
    const { name, description, parameters, strict } = tool;
    expect(upstream.requests[0]!.body).toMatchObject({
      max_tokens: 50,
      temperature: 0.5,
      top_p: 0.9,
      presence_penalty: 0.1,
      frequency_penalty: 0.2,
      tools: [{ type: 'function', function: { name, description, parameters, strict } }],
      tool_choice: 'required',
      parallel_tool_calls: false,
      response_format: { type: 'json_object' },
      reasoning_effort: 'low',
      verbosity: 'low',
    });
    const { input: _, reasoning, ...repeated } = body;
    expect(answer).toMatchObject({ ...repeated, reasoning: { ...reasoning, summary: null }, store: false });
  });

  it.each([
    ['length', 'max_output_tokens'],
    ['content_filter', 'content_filter'],
  ])('that end with %s are incomplete', async (finishReason, reason) => {
    const { server, upstream, credential } = await setUp();
    upstream.answer({ text: 'An ETag', finishReason });
    const incomplete = { status: 'incomplete', incomplete_details: { reason }, completed_at: null };
    const output = [{ type: 'message', status: 'incomplete' }];
    expect((await respond(server, credential, { input: 'hello' })).json()).toMatchObject({ ...incomplete, output });
    const events = eventsOf(await respond(server, credential, { input: 'hello', stream: true }));
    expect(events.at(-2)).toMatchObject({ type: 'response.incomplete', response: { ...incomplete, output } });
  });

  it('stream the calls of functions whose pieces come in turns', async () => {
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
    const tools = [{ type: 'function', name: 'find' }];
    const events = eventsOf(await respond(server, credential, { input: 'hello', tools, stream: true }));
    expect(events.at(-2).response.output).toMatchObject([
      { type: 'message', status: 'completed', content: [{ text: 'I look.' }] },
      { type: 'function_call', call_id: 'c0', arguments: '{"a":1}', status: 'completed' },
      { type: 'function_call', call_id: 'c1', arguments: '{"b":2}', status: 'completed' },
    ]);
  });

  it('cite what the gateway has found', async () => {
    const { server, upstream, credential } = await setUp('enterprise', { search: true });
    const search = { toolCalls: [{ id: 's1', name: 'web_search', arguments: '{"query":"etag"}' }] };
    for (const stream of [false, true]) {
      upstream.answer(search, { text: 'It is a mark: https://example.com/etag' });
      const answer = await respond(server, credential, { input: 'What is an ETag?', stream });
      const { output } = stream ? eventsOf(answer).at(-2).response : answer.json();
      const [{ text, annotations }] = output[0].content;
      expect([output.length, annotations]).toMatchObject([
        1,
        [{ type: 'url_citation', url: 'https://example.com/etag' }],
      ]);
      expect(text.slice(annotations[0].start_index, annotations[0].end_index)).toContain('https://example.com/etag');
    }
  });

  it('name the item whose output answers no call', async () => {
    const { server, credential } = await setUp();
    const output = { type: 'function_call_output', call_id: 'b', output: '1' };
    const body = { instructions: 'Be brief.', input: [{ role: 'user', content: 'a' }, { type: 'reasoning' }, output] };
    expect((await respond(server, credential, body)).json().error).toMatchObject({
      code: 'invalid_request',
      message: expect.stringMatching(/^input\[2\] answers no open tool call\. Each function_call_output/),
    });
  });
});

describe('the charge of responses', () => {
  it('is that of the model for whole ones and streams, under the limits of chats', async () => {
    const { server, upstream, credential } = await setUp('standard');
    upstream.answer({ text: said, usage: { prompt_tokens: 24, completion_tokens: 22 } });
    expect((await respond(server, credential, { input: 'hello', stream: true })).status).toBe(200);
    expect(await spentToday(server, credential)).toEqual(charged(24, 22));
    for (const again of [respond(server, credential, { input: 'hello' }), ask(server, credential, 'hello')])
      expect((await again).json().error.code).toBe('rate_limit_exceeded');
  });

  it.each([
    ['hangs up', broken('hang-up')],
    ['ends early', broken('end')],
    ['sends an error', broken('open', eventOf({ error: { message: 'CUDA out of memory on gpu-7.internal' } }))],
    ['sends nonsense', broken('open', 'data: {"choices": [NaN]}\n\n')],
  ])('is what the model has written when the upstream %s', async (_, behaviour) => {
    const { server, upstream, credential } = await setUp('standard');
    upstream.answer(behaviour);
    const answer = await respond(server, credential, { input: words, stream: true });
    const events = eventsOf(answer);
    const output = [{ type: 'message', status: 'incomplete', content: [{ text: said }] }];
    expect([answer.status, ...events.slice(-3)]).toMatchObject([
      200,
      { type: 'error', error: { type: 'server_error', code: 'server_overloaded', param: null } },
      { type: 'response.failed', response: { status: 'failed', error: { code: 'server_overloaded' }, output } },
      '[DONE]',
    ]);
    expect(answer.body.toString()).not.toMatch(/CUDA|internal/);
    expect(await spentToday(server, credential)).toEqual(charged(countTokens(words), countTokens(said)));
  });

  it('is what the model has written when the client disconnects, and the upstream is stopped', async () => {
    const { server, upstream, credential } = await setUp('standard');
    upstream.answer(broken('open'));
    const gone = new AbortController();
    const response = await fetch(`${server.running.urls.api}/v2/ai/responses`, {
      method: 'POST',
      headers: { authorization: credential, 'content-type': 'application/json' },
      body: JSON.stringify({ input: words, stream: true }),
      signal: gone.signal,
    });
    let received = '';
    for await (const chunk of response.body!.pipeThrough(new TextDecoderStream())) {
      received += chunk;
      if (received.includes('"delta":"it."')) break;
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
    ['sends no event', { pieces: ['<html>'], headers: { 'content-type': 'text/html' } }],
  ] as const)('is nothing when the upstream %s before its first piece', async (_, behaviour) => {
    const { server, upstream, credential } = await setUp('standard');
    upstream.answer(behaviour);
    const answer = await respond(server, credential, { input: words, stream: true });
    expect([answer.status, answer.json().error.code]).toEqual([503, 'server_overloaded']);
    expect(await spentToday(server, credential)).toEqual(nothing);
  });
});
