import { connect } from 'node:net';
import { text } from 'node:stream/consumers';

import { describe, expect, it } from 'vitest';

import type { ChatUpstream } from '#mocks/chat-upstream.ts';
import { ask, completionsPath, spentToday, startChatServer } from '#test/support/chat.ts';
import { startTestServer } from '#test/support/server.ts';

const question = { role: 'user', content: 'What is an ETag?' };

describe('an answer', () => {
  it("has the shape of chat clients, names cubic and has the upstream's usage", async () => {
    const { server, upstream } = await startChatServer();
    const { credential } = await server.account('pro');
    upstream.answer({ text: 'A mark of one version.', usage: { prompt_tokens: 24, completion_tokens: 22 } });
    const answer = await ask(server, `Bearer ${credential}`, { model: 'gpt-anything', messages: [question] });
    expect(answer.json()).toEqual({
      id: expect.stringMatching(/^chatcmpl-[a-z2-7]{26}$/),
      object: 'chat.completion',
      created: Math.floor(server.clock.now() / 1000),
      model: 'cubic',
      choices: [{ index: 0, message: { role: 'assistant', content: 'A mark of one version.' }, finish_reason: 'stop' }],
      usage: { prompt_tokens: 24, completion_tokens: 22, total_tokens: 46 },
    });
    expect(answer.headers.get('x-cubby-responder')).toBeNull();
    expect(await spentToday(server, credential)).toEqual({ requests: 1, tokens: 46, spend: 24 + 4 * 22 });
  });

  it('comes to each of two requests that are sent at once over one connection', async () => {
    const { server } = await startChatServer();
    const { credential } = await server.account('enterprise');
    const body = JSON.stringify({ messages: [question] });
    const request =
      `POST ${completionsPath} HTTP/1.1\r\nHost: a\r\nAuthorization: ${credential}\r\nContent-Length: ` +
      `${body.length}\r\n`;
    const socket = connect(Number(new URL(server.running.urls.api).port), '127.0.0.1');
    socket.write(`${request}\r\n${body}${request}Connection: close\r\n\r\n${body}`);
    expect((await text(socket)).match(/HTTP\/1.1 200 OK/g)).toHaveLength(2);
  });

  it('is requested with every field of the contract, without nulls and other fields', async () => {
    const { server, upstream } = await startChatServer();
    const { credential } = await server.account();
    const tool = {
      type: 'function',
      function: { name: 'find_invoice', description: 'Finds it.', parameters: { type: 'object' }, strict: true },
    };
    const known = {
      temperature: 0.5,
      top_p: 0.9,
      stop: ['END'],
      seed: 7,
      presence_penalty: 1,
      frequency_penalty: -1,
      parallel_tool_calls: false,
      tools: [tool],
      tool_choice: { type: 'function', function: { name: 'find_invoice' } },
      response_format: { type: 'json_object' },
    };
    await ask(server, credential, {
      messages: [question],
      max_tokens: 5,
      max_completion_tokens: 7,
      n: 3,
      user: 'u',
      logit_bias: {},
      ...known,
    });
    expect(upstream.requests[0]!.body).toMatchObject({ messages: [question], max_tokens: 7, ...known });
    for (const name of ['n', 'user', 'logit_bias', 'stream', 'max_completion_tokens'])
      expect(upstream.requests[0]!.body).not.toHaveProperty(name);

    const names = [
      'model',
      'max_tokens',
      'temperature',
      'top_p',
      'stop',
      'seed',
      'presence_penalty',
      'frequency_penalty',
      'tools',
      'tool_choice',
      'parallel_tool_calls',
      'response_format',
      'stream',
      'audio',
      'modalities',
    ];
    await ask(server, credential, {
      messages: [{ ...question, name: null, tool_calls: null, tool_call_id: null }],
      ...Object.fromEntries(names.map((name) => [name, null])),
    });
    expect(Object.keys(upstream.requests[1]!.body).sort()).toEqual(['max_tokens', 'messages', 'model']);
    expect(upstream.requests[1]!.body.messages).toEqual([question]);
  });

  it('treats tool_calls: [] in the history as absent, for every role', async () => {
    const { server, upstream } = await startChatServer();
    const { credential } = await server.account('enterprise');
    const messages = [
      { role: 'system', content: 'Be brief.' },
      question,
      { role: 'assistant', content: 'Hello.' },
      question,
    ];
    const answer = await ask(server, credential, {
      messages: messages.map((message) => ({ ...message, tool_calls: [] })),
    });
    expect(answer.status).toBe(200);
    expect(upstream.requests[0]!.body.messages).toEqual(messages);
    const refused = await ask(server, credential, {
      messages: [question, { role: 'assistant', content: null, tool_calls: [] }],
    });
    expect([refused.status, refused.json().error]).toMatchObject([
      400,
      { code: 'invalid_messages', message: expect.stringContaining('messages[1]') },
    ]);
  });

  it.each([
    ['standard', 4096],
    ['pro', 6144],
    ['enterprise', 8192],
  ] as const)('for plan %s is cut to %i tokens without an error', async (plan, ceiling) => {
    const { server, upstream } = await startChatServer();
    const { credential } = await server.account(plan);
    await ask(server, credential, { messages: [question], max_tokens: 1_000_000 });
    expect(upstream.requests[0]!.body.max_tokens).toBe(ceiling);
    server.clock.advance(10_000);
    await ask(server, credential, { messages: [question] });
    expect(upstream.requests[1]!.body.max_tokens).toBe(ceiling);
  });

  it("returns the calls of the caller's functions, and accepts their results", async () => {
    const { server, upstream } = await startChatServer();
    const { credential } = await server.account();
    const tools = [{ type: 'function', function: { name: 'find_invoice', parameters: { type: 'object' } } }];
    upstream.answer(
      { toolCalls: [{ id: 'call_1', name: 'find_invoice', arguments: '{"month":"2026-04"}' }] },
      { text: 'It is 48 KB.' },
    );
    const first = (await ask(server, credential, { messages: [question], tools })).json().choices[0];
    expect(first).toEqual({
      index: 0,
      message: {
        role: 'assistant',
        content: null,
        tool_calls: [
          { id: 'call_1', type: 'function', function: { name: 'find_invoice', arguments: '{"month":"2026-04"}' } },
        ],
      },
      finish_reason: 'tool_calls',
    });
    const second = await ask(server, credential, {
      messages: [question, first.message, { role: 'tool', tool_call_id: 'call_1', content: '48213' }],
      tools,
    });
    expect(second.json().choices[0].message.content).toBe('It is 48 KB.');
    expect(upstream.requests[1]!.body.messages).toMatchObject([
      question,
      { tool_calls: [{ id: 'call_1' }] },
      { role: 'tool', tool_call_id: 'call_1', content: '48213' },
    ]);
  });
});

describe('the responder for development', () => {
  it('identifies itself in the text, in a header and in the log', async () => {
    const server = await startTestServer();
    const { credential } = await server.account('standard');
    const answer = await ask(server, credential, 'hello');
    expect(answer.status).toBe(200);
    expect(answer.headers.get('x-cubby-responder')).toBe('development');
    expect(answer.json().choices[0].message.content).toMatch(/^\[development responder\]/);
    expect(server.log.some(({ message }) => /development responder/.test(String(message)))).toBe(true);
  });

  it.each<[string, Record<string, string>]>([
    ['when it is switched off', { CUBBY_AI_DEV_RESPONDER: 'off' }],
    ['in production', { NODE_ENV: 'production' }],
  ])('does not respond %s: the error is server_overloaded, and nothing is charged', async (_, env) => {
    const server = await startTestServer({ env });
    const { credential } = await server.account('standard');
    const answer = await ask(server, credential, 'hello');
    expect([answer.status, answer.json().error.code, answer.headers.get('retry-after')]).toEqual([
      503,
      'server_overloaded',
      '2',
    ]);
    expect(await spentToday(server, credential)).toEqual({ requests: 0, tokens: 0, spend: 0 });
    expect(
      (await ask(server, credential, 'hello')).json().error.code,
      'neither pacing nor concurrency holds it back',
    ).toBe('server_overloaded');
  });
});

describe('the order of checks', () => {
  it('is credential, scope, plan, body, limits', async () => {
    const { server, upstream } = await startChatServer();
    const [hobby, standard] = [await server.account('hobby'), await server.account('standard')];
    const codeOf = async (credential: string, body: object | string) => {
      const answer = await server.send(completionsPath, {
        method: 'POST',
        credential,
        body: typeof body === 'string' ? body : JSON.stringify(body),
      });
      return answer.json().error?.code;
    };
    const wrong = { messages: [question], temperature: 3 };
    expect(await codeOf('cbk_unknown', wrong)).toBe('access_denied');
    expect(await codeOf(await server.key(hobby, { scopes: ['blob:read'] }), wrong)).toBe('missing_scope');
    expect(await codeOf(hobby.credential, wrong)).toBe('upgrade_required');
    expect(await codeOf(hobby.credential, 'no JSON')).toBe('upgrade_required');
    expect(await codeOf(hobby.credential, `{"padding":"${' '.repeat(1_048_576)}"}`)).toBe('upgrade_required');
    expect(await codeOf(standard.credential, wrong)).toBe('invalid_temperature');
    expect(await codeOf(standard.credential, { messages: [question] })).toBeUndefined();
    // The plan's pacing would reject it now.
    expect(await codeOf(standard.credential, wrong)).toBe('invalid_temperature');
    expect(await codeOf(standard.credential, { messages: [{ role: 'tool', tool_call_id: 'a', content: '' }] })).toBe(
      'invalid_request',
    );
    expect(await codeOf(standard.credential, { messages: [question] })).toBe('rate_limit_exceeded');
    expect(upstream.requests).toHaveLength(1);
  });
});

describe('64 requests at once', () => {
  /** Answers slowly, and records the maximum number of parallel requests. */
  function watched(upstream: ChatUpstream, delayMs: number): () => number {
    const most = { value: 0 };
    const ended = new WeakSet<object>();
    upstream.answer((request) => {
      setTimeout(() => ended.add(request), delayMs - 10);
      most.value = Math.max(most.value, upstream.requests.filter((one) => !ended.has(one)).length);
      return { text: 'Done.', delayMs };
    });
    return () => most.value;
  }

  it('of an account never exceed its concurrent requests', async () => {
    const { server, upstream } = await startChatServer();
    const { credential } = await server.account('enterprise');
    const most = watched(upstream, 40);
    const answers = await Promise.all(Array.from({ length: 64 }, () => ask(server, credential, 'hello')));
    const refused = answers.filter(({ status }) => status === 429);
    expect(most()).toBe(2);
    expect(
      refused.every(
        (answer) =>
          answer.json().error.code === 'concurrent_limit_reached' && answer.headers.get('retry-after') === '1',
      ),
    ).toBe(true);
    expect(upstream.requests.length).toBe(64 - refused.length);
    expect(await spentToday(server, credential)).toMatchObject({
      requests: 64 - refused.length,
      tokens: 17 * (64 - refused.length),
    });
  });

  it('of many accounts never exceed those of the installation', async () => {
    const { server, upstream } = await startChatServer({ env: { CUBBY_AI_MAX_CONCURRENT: '3' } });
    // So slowly that requests are still under way when the last ones come.
    const most = watched(upstream, 500);
    const accounts = await Promise.all(Array.from({ length: 64 }, () => server.account('standard')));
    const answers = await Promise.all(accounts.map(({ credential }) => ask(server, credential, 'hello')));
    const refused = answers.filter(({ status }) => status !== 200);
    expect(most()).toBe(3);
    expect(
      new Set(refused.map((answer) => `${answer.json().error.code} ${answer.headers.get('retry-after')}`)),
    ).toEqual(new Set(['server_overloaded 2']));
  });
});

it('log lines and metrics contain counts and times, but no messages', async () => {
  const { server, upstream } = await startChatServer();
  const { credential } = await server.account();
  const canary = 'canary-4x7k2m9q';
  upstream.answer({ text: `${canary} answered` }, { status: 400, body: { error: { message: canary } } }, 'hang-up', {
    status: 200,
    body: canary,
  });
  const tools = [{ type: 'function', function: { name: canary, description: canary } }];
  for (let request = 0; request < 4; request++)
    await ask(server, credential, { messages: [{ role: 'user', content: canary }], tools });
  await ask(server, credential, { messages: [{ role: canary, content: canary }] });
  await ask(server, credential, { messages: [{ role: 'tool', content: canary, tool_call_id: canary }] });
  await server.send(completionsPath, { method: 'POST', credential, body: `{"messages": ${canary}` });
  const lines = server.log.filter(({ operation }) => operation === 'createChatCompletion');
  expect(lines).toHaveLength(7);
  expect(lines[0]).toMatchObject({
    status: 200,
    input_tokens: 12,
    output_tokens: 5,
    model_rounds: 1,
    searches: 0,
    model_ms: expect.any(Number),
    request_id: expect.any(String),
  });
  expect(JSON.stringify(server.log)).not.toContain(canary);
  expect(JSON.stringify(server.log)).not.toContain(new URL(upstream.url).host);
  const metrics = (await server.send('/metrics', { door: 'operator' })).body.toString();
  expect(metrics).not.toContain(canary);
  expect(metrics).toContain('cubby_ai_requests_total{outcome="answered"} 1');
  expect(metrics).toContain('cubby_ai_tokens_total{kind="input"} 12');
  expect(metrics).toMatch(/cubby_ai_upstream_attempts_total\{upstream="1",outcome="answered"\} 1/);
});
