import { describe, expect, it } from 'vitest';

import { ask, startChatServer } from '#test/support/chat.ts';
import { startTestServer } from '#test/support/server.ts';

const question = { role: 'user', content: 'What is an ETag?' };
const tool = (name: string) => ({ type: 'function', function: { name, parameters: { type: 'object' } } });
const call = (name: string, id = `call_${name}`) => ({ id, name, arguments: '{"query":"etag"}' });

interface Sent {
  readonly tools?: Array<{ readonly function: { readonly name: string } }>;
  readonly tool_choice?: unknown;
}

const offered = (body: unknown) => ((body as Sent).tools ?? []).map(({ function: { name } }) => name);

describe('a model that rejects tools', () => {
  const takesNone = { status: 400, body: { error: 'registry.example/model does not support tools' } };

  it("gets one more request without the gateway's own tools", async () => {
    const { server, upstream } = await startChatServer({ search: true });
    const { credential } = await server.account('standard');
    upstream.answer(({ body }) => (offered(body).length > 0 ? takesNone : { text: 'A mark.' }));
    const answer = await ask(server, credential, { messages: [question] });
    expect([answer.status, answer.json().choices[0].message.content]).toEqual([200, 'A mark.']);
    expect(upstream.requests.map(({ body }) => offered(body))).toEqual([['web_search'], []]);
    expect(server.log).toContainEqual(
      expect.objectContaining({ level: 'warn', message: expect.stringContaining('web search') }),
    );
  });

  it('gets no second request if the caller sends tools or the model rejects the conversation itself', async () => {
    const { server, upstream } = await startChatServer({ search: true });
    const { credential } = await server.account('enterprise');
    upstream.answer(takesNone);
    expect((await ask(server, credential, { messages: [question], tools: [tool('find')] })).json().error.code).toBe(
      'invalid_request',
    );
    expect(upstream.requests).toHaveLength(1);
    expect((await ask(server, credential, { messages: [question] })).json().error.code).toBe('invalid_request');
    expect(upstream.requests).toHaveLength(3);
    expect(
      server.log.filter(({ message }) => /web search/.test(String(message)) && /takes no/.test(String(message))),
    ).toEqual([]);
  });
});

describe('a model that calls functions that were not offered', () => {
  it("loses those calls, beside a search and beside the caller's own functions", async () => {
    const { server, upstream } = await startChatServer({ search: true });
    const { credential } = await server.account('enterprise');
    upstream.answer({ text: 'Well.', toolCalls: [call('made_up')] });
    expect((await ask(server, credential, { messages: [question] })).json().choices[0]).toMatchObject({
      finish_reason: 'stop',
      message: { content: 'Well.' },
    });
    upstream.answer({ toolCalls: [call('made_up'), call('find')] });
    const { message } = (await ask(server, credential, { messages: [question], tools: [tool('find')] })).json()
      .choices[0];
    expect(message.tool_calls.map((one: { function: { name: string } }) => one.function.name)).toEqual(['find']);
    upstream.answer(
      { toolCalls: [call('made_up'), call('web_search')] },
      { text: 'Found (https://example.com/etag).' },
    );
    expect((await ask(server, credential, { messages: [question] })).json().choices[0].message.content).toBe(
      'Found (https://example.com/etag).',
    );
  });
});

describe('an answer that only calls functions that were not offered', () => {
  const madeUp = { toolCalls: [call('made_up')] };
  const forms = {
    'chat completions': ['chat/completions', { messages: [question], tools: [tool('find')] }],
    messages: ['messages', { messages: [question], tools: [{ name: 'find' }] }],
    responses: ['responses', { input: question.content, tools: [{ type: 'function', name: 'find' }] }],
  } as const;

  it.each(Object.entries(forms))('is none: 503 for %s, whole and streamed, and another try first', async (_, form) => {
    const [path, body] = form;
    const { server, upstream } = await startChatServer({ env: { CUBBY_AI_STREAMING: 'on' } });
    const { credential } = await server.account('enterprise');
    const send = (stream: boolean) =>
      server.send(`/v2/ai/${path}`, { method: 'POST', credential, body: JSON.stringify({ ...body, stream }) });
    for (const stream of [false, true]) {
      upstream.answer(madeUp);
      const refused = await send(stream);
      expect([refused.status, refused.json().error.code]).toEqual([503, 'server_overloaded']);
      upstream.answer(madeUp, { text: 'A mark.' });
      const answer = await send(stream);
      expect([answer.status, answer.body.toString()]).toEqual([200, expect.stringContaining('mark.')]);
      // A cut-off answer is one, although nothing of it is left.
      upstream.answer({ ...madeUp, finishReason: 'length' });
      expect((await send(stream)).status).toBe(200);
    }
  });
});

describe('after a search', () => {
  it.each([
    ['content_filter', ''],
    ['length', 'A ma'],
  ])('an answer that ends with %s stays as it is', async (finishReason, text) => {
    const { server, upstream } = await startChatServer({ search: true });
    const { credential } = await server.account();
    upstream.answer({ toolCalls: [call('web_search')] }, { text, finishReason });
    const answer = await ask(server, credential, { messages: [question] });
    // A backend may handle an empty text in different ways.
    if (answer.status === 200)
      expect(answer.json().choices[0]).toEqual({
        index: 0,
        message: { role: 'assistant', content: text },
        finish_reason: finishReason,
      });
    else expect(text).toBe('');
  });

  it("the last round keeps the tool's definition, as the conversation mentions it, and forbids its use", async () => {
    const { server, upstream } = await startChatServer({ search: true });
    const { credential } = await server.account();
    upstream.answer(({ body }) =>
      (body as Sent).tool_choice === 'none' ? { text: 'Enough.' } : { toolCalls: [call('web_search')] },
    );
    expect((await ask(server, credential, { messages: [question] })).status).toBe(200);
    expect(upstream.requests.map(({ body }) => [offered(body), (body as Sent).tool_choice])).toEqual([
      ...Array(3).fill([['web_search'], undefined]),
      [['web_search'], 'none'],
    ]);
  });

  it('functions of the caller stay possible in the last round', async () => {
    const { server, upstream } = await startChatServer({ search: true });
    const { credential } = await server.account();
    upstream.answer(({ body }) => ({
      toolCalls: [call(offered(body).includes('web_search') ? 'web_search' : 'find')],
    }));
    const answer = (await ask(server, credential, { messages: [question], tools: [tool('find')] })).json();
    expect(answer.choices[0].finish_reason).toBe('tool_calls');
    expect(offered(upstream.requests[3]!.body)).toEqual(['find']);
  });
});

describe('the tool fields of a request', () => {
  it('also control the gateway\'s search, which tool_choice "none" disables, even without tools', async () => {
    const { server, upstream } = await startChatServer({ search: true });
    const { credential } = await server.account();
    expect((await ask(server, credential, { messages: [question], tool_choice: 'none' })).status).toBe(200);
    expect(offered(upstream.requests[0]!.body)).toEqual([]);
    expect(upstream.requests[0]!.body).not.toHaveProperty('tool_choice');
  });

  it('may be null wherever it may be absent', async () => {
    const { server, upstream } = await startChatServer();
    const { credential } = await server.account();
    const tools = [{ type: 'function', function: { name: 'find', description: null, parameters: null, strict: null } }];
    const response_format = {
      type: 'json_schema',
      json_schema: { name: 'answer', description: null, schema: null, strict: null },
    };
    expect((await ask(server, credential, { messages: [question], tools, response_format })).status).toBe(200);
    expect(upstream.requests[0]!.body).toMatchObject({
      tools: [{ type: 'function', function: { name: 'find' } }],
      response_format: { type: 'json_schema', json_schema: { name: 'answer' } },
    });
  });
});

describe('without a model', () => {
  it('the start logs a warning, and each request logs why it failed', async () => {
    const server = await startTestServer({ env: { CUBBY_AI_DEV_RESPONDER: 'off' } });
    const { credential } = await server.account('standard');
    expect((await ask(server, credential, 'hello')).status).toBe(503);
    expect(
      server.log.filter(({ level, message }) => level === 'warn' && /CUBBY_AI_UPSTREAM_URL/.test(String(message))),
    ).toHaveLength(1);
    expect(server.log.find(({ operation }) => operation === 'createChatCompletion')).toMatchObject({
      status: 503,
      reason: expect.stringContaining('No model is configured'),
    });
  });
});
