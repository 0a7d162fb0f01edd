import { describe, expect, it } from 'vitest';

import { chunkOf, eventOf } from '#mocks/chat-upstream-answers.ts';
import type { ChatUpstream, UpstreamBehaviour } from '#mocks/chat-upstream.ts';
import { startChatServer } from '#test/support/chat.ts';
import { numberedUpstreams, startModelsServer } from '#test/support/models.ts';

type Fields = Readonly<Record<string, any>>;

const usage = { prompt_tokens: 12, completion_tokens: 9 };
const question = [{ role: 'user', content: 'What is an ETag?' }];
const parameters = { type: 'object', properties: {} };
const call = { id: 'call_9', type: 'function', function: { name: 'find', arguments: '{}' } };

/** What a server sends, whole and in pieces. */
interface Sent {
  readonly message: Fields;
  readonly deltas: readonly Fields[];
}

const signed = {
  type: 'reasoning.text',
  text: 'I look. 😀',
  signature: 'c2ln',
  format: 'anthropic-claude-v1',
  index: 0,
};
const sealed = { type: 'reasoning.encrypted', data: 'ZGF0YQ==', id: 'call_9', format: 'google-gemini-v1', index: 0 };
const extra = (thought_signature: string) => ({ extra_content: { google: { thought_signature } } });

/** The answers of common servers, each with one call. */
const servers: Readonly<Record<string, Sent>> = {
  'signed thoughts of OpenRouter': {
    message: { content: 'Hm.', reasoning: signed.text, reasoning_details: [signed], tool_calls: [call] },
    deltas: [
      ...['I look.', ' 😀'].map((text) => ({
        content: '',
        reasoning: text,
        reasoning_details: [{ ...signed, text, signature: null }],
      })),
      { content: '', reasoning_details: [{ type: signed.type, signature: 'c2ln', format: signed.format, index: 0 }] },
      { content: 'Hm.' },
      { tool_calls: [{ index: 0, ...call }] },
    ],
  },
  'encrypted thoughts of OpenRouter, behind the text': {
    message: {
      content: 'Hm.',
      reasoning: 'I look.',
      reasoning_details: [{ type: 'reasoning.text', text: 'I look.', index: 0 }, sealed],
      tool_calls: [call],
    },
    deltas: [
      { reasoning: 'I look.', reasoning_details: [{ type: 'reasoning.text', text: 'I look.', index: 0 }] },
      { content: 'Hm.' },
      { tool_calls: [{ index: 0, ...call }], reasoning_details: [sealed] },
    ],
  },
  'encrypted thoughts of OpenRouter, behind the call': {
    message: { content: null, reasoning: null, reasoning_details: [sealed], tool_calls: [call] },
    deltas: [{ tool_calls: [{ index: 0, ...call }] }, { content: '', reasoning_details: [sealed] }],
  },
  'signatures of Gemini': {
    message: {
      content: 'Hm.',
      ...extra('dGV4dA=='),
      tool_calls: [
        { ...call, ...extra('Y2FsbA==') },
        { ...call, id: 'call_10' },
      ],
    },
    deltas: [
      { content: 'Hm.', ...extra('dGV4dA==') },
      { tool_calls: [{ index: 0, ...call, ...extra('Y2FsbA==') }] },
      { tool_calls: [{ index: 1, ...call, id: 'call_10' }] },
    ],
  },
  'signatures of Gemini, one of the second call': {
    message: { content: null, tool_calls: [call, { ...call, id: 'call_10', ...extra('Y2FsbA==') }] },
    deltas: [
      {
        tool_calls: [
          { index: 0, ...call },
          { index: 1, ...call, id: 'call_10', ...extra('Y2FsbA==') },
        ],
      },
    ],
  },
};

const answering =
  ({ message, deltas }: Sent): UpstreamBehaviour =>
  ({ body }) => {
    if (body.stream === true)
      return {
        pieces: [...deltas.map((delta) => chunkOf(delta)), chunkOf({}, 'tool_calls', { usage }), eventOf('[DONE]')],
      };
    return {
      status: 200,
      body: JSON.stringify({
        choices: [{ index: 0, message: { role: 'assistant', ...message }, finish_reason: 'tool_calls' }],
        usage,
      }),
      headers: { 'Content-Type': 'application/json' },
    };
  };

/** A client of a protocol. It sends back what it has got, without looking into it. */
interface Client {
  readonly body: Fields;
  /** Returns the parts of an answer that go back. */
  readonly whole: (answer: any) => readonly Fields[];
  readonly streamed: (events: readonly any[]) => readonly Fields[];
  /** Returns a request with the answer, and the results of its calls. */
  readonly next: (answered: readonly Fields[], callIds: readonly string[]) => Fields;
}

/** Puts the chunks of a stream together, as clients of OpenRouter and of Gemini do. */
function messageOf(events: readonly any[]): Fields {
  const message: Record<string, any> = { role: 'assistant', content: null };
  for (const { choices } of events) {
    const { content, reasoning, reasoning_details: details = [], tool_calls: calls = [], ...rest } = choices[0].delta;
    Object.assign(message, rest);
    if (content) message.content = (message.content ?? '') + content;
    if (reasoning) message.reasoning = (message.reasoning ?? '') + reasoning;
    for (const detail of details) {
      const last = message.reasoning_details?.at(-1);
      if (last?.text !== undefined && detail.type === last.type)
        Object.assign(last, detail, { text: last.text + (detail.text ?? '') });
      else (message.reasoning_details ??= []).push({ ...detail });
    }
    for (const { index, function: called, ...head } of calls) {
      const known = ((message.tool_calls ??= [])[index] ??= {
        ...head,
        function: { name: called.name, arguments: '' },
      });
      known.function.arguments += called.arguments;
    }
  }
  return message;
}

const clients: Readonly<Record<string, Client>> = {
  'chat/completions': {
    body: { messages: question, tools: [{ type: 'function', function: { name: 'find', parameters } }] },
    whole: ({ choices: [{ message }] }) => [message],
    streamed: (events) => [messageOf(events)],
    next: (answered, callIds) => ({
      messages: [
        ...question,
        ...answered,
        ...callIds.map((tool_call_id) => ({ role: 'tool', tool_call_id, content: 'x' })),
      ],
    }),
  },
  responses: {
    body: {
      input: question,
      tools: [{ type: 'function', name: 'find', parameters }],
      include: ['reasoning.encrypted_content'],
    },
    whole: ({ output }) => output,
    streamed(events) {
      const { output } = events.find(({ type }) => type === 'response.completed').response;
      const done = events.filter(({ type }) => type === 'response.output_item.done');
      expect(done.sort((a, b) => a.output_index - b.output_index).map(({ item }) => item)).toEqual(output);
      return output;
    },
    next: (answered, callIds) => ({
      input: [
        ...question,
        ...answered.map((item) => (item.type === 'reasoning' ? { ...item, content: undefined } : item)),
        ...callIds.map((call_id) => ({ type: 'function_call_output', call_id, output: 'x' })),
      ],
    }),
  },
  messages: {
    body: {
      messages: question,
      max_tokens: 100,
      tools: [{ name: 'find', input_schema: parameters }],
      thinking: { type: 'adaptive' },
    },
    whole: ({ content }) => content,
    streamed(events) {
      const blocks: any[] = [];
      for (const { type, index, content_block: block, delta } of events) {
        if (type === 'content_block_start') blocks[index] = { ...block };
        if (type !== 'content_block_delta') continue;
        for (const name of ['thinking', 'signature', 'text']) if (name in delta) blocks[index][name] += delta[name];
      }
      return blocks;
    },
    next: (answered, callIds) => ({
      messages: [
        ...question,
        { role: 'assistant', content: answered },
        {
          role: 'user',
          content: callIds.map((tool_use_id) => ({ type: 'tool_result', tool_use_id, content: 'x' })),
        },
      ],
    }),
  },
};

const cases = Object.entries(servers).flatMap(([name, sent]) =>
  Object.keys(clients).flatMap((path) => ['whole', 'streamed'].map((how) => [name, path, how, sent] as const)),
);

type Send = (path: string, body: object) => Promise<{ readonly status: number; readonly body: Buffer; json(): any }>;

/** Asks twice, the second time with the answer to the first. Returns the answer that the client sent back. */
async function converse(send: Send, path: string, how: string, { message }: Sent, more: object = {}) {
  const { body, whole, streamed, next } = clients[path]!;
  const first = await send(path, { ...body, stream: how === 'streamed' });
  expect(first.status).toBe(200);
  const events = [...first.body.toString().matchAll(/^data: (\{.*)$/gm)].map(([, data]) => JSON.parse(data!));
  const answered = how === 'streamed' ? streamed(events) : whole(first.json());
  const callIds = message.tool_calls.map(({ id }: { readonly id: string }) => id);
  expect((await send(path, { ...body, ...next(answered, callIds), ...more })).status).toBe(200);
  return answered;
}

/** Returns the message of the assistant as a server got it, without what is empty. */
function answerIn({ requests }: ChatUpstream): Fields {
  const { messages } = requests.at(-1)!.body as { readonly messages: readonly Fields[] };
  return messages.find(({ role }) => role === 'assistant')!;
}

/** A message without the fields that are null, as the gateway sends none of them. */
function without(nulls: Fields): Fields {
  return Object.fromEntries(Object.entries(nulls).filter(([name, value]) => value !== null || name === 'content'));
}

async function setUp({ env = { CUBBY_AI: 'open' }, ...options }: Parameters<typeof startChatServer>[0] = {}) {
  const { server, upstream } = await startChatServer({ ...options, env });
  const { credential } = await server.account('enterprise');
  const send: Send = (path, body) =>
    server.send(`/v2/ai/${path}`, { method: 'POST', credential, body: JSON.stringify(body) });
  return { upstream, send };
}

describe('what a server seals', () => {
  it.each(cases)('goes back to it unchanged: %s, by %s, %s', async (_, path, how, sent) => {
    const { upstream, send } = await setUp();
    upstream.answer(answering(sent), { text: 'Done.' });
    await converse(send, path, how, sent);
    expect(answerIn(upstream)).toEqual({ role: 'assistant', ...without(sent.message) });
  });

  it.each(cases)('goes to no other server: %s, by %s, %s', async (_, path, how, sent) => {
    const upstreams = await numberedUpstreams(2);
    const [one, other] = upstreams;
    const models = upstreams.map(({ url }, at) => ({ name: `model-${at}`, upstreams: [{ url }] }));
    const { server, credential } = await startModelsServer(
      { default: 'model-0', models },
      { env: { CUBBY_AI: 'open' } },
    );
    const send: Send = (path, body) =>
      server.send(`/v2/ai/${path}`, { method: 'POST', credential, body: JSON.stringify(body) });
    one!.answer(answering(sent));
    await converse(send, path, how, sent, { model: 'model-1' });
    expect(answerIn(other!).tool_calls).toEqual(sent.message.tool_calls.map(({ id }: Fields) => ({ ...call, id })));
    expect(JSON.stringify(other!.requests)).not.toMatch(/c2ln|ZGF0YQ|dGV4dA|Y2FsbA|cubby1/);
  });

  it.each(['whole', 'streamed'])('is the same in an answer from the cache: %s', async (how) => {
    const { upstream, send } = await setUp({ env: { CUBBY_AI: 'open', CUBBY_AI_CACHE_SECONDS: '60' } });
    const sent = servers['signatures of Gemini']!;
    upstream.answer(answering(sent), { text: 'Done.' });
    const cached: Send = (path, body) => send(path, { ...body, temperature: 0 });
    await cached('chat/completions', clients['chat/completions']!.body);
    await converse(cached, 'chat/completions', how, sent);
    expect(upstream.requests.length).toBe(2);
    expect(answerIn(upstream)).toEqual({ role: 'assistant', ...sent.message });
  });

  it.each(['whole', 'streamed'])('with a search goes back with it, and is not the client’s: %s', async (how) => {
    const { upstream, send } = await setUp({ search: true });
    const search = { ...call, function: { name: 'web_search', arguments: '{"query":"etag"}' }, ...extra('Y2FsbA==') };
    const message = { content: null, reasoning_details: [sealed], tool_calls: [search] };
    upstream.answer(answering({ message, deltas: [{ ...message, tool_calls: [{ index: 0, ...search }] }] }), {
      text: 'A mark.',
    });
    const answer = await send('chat/completions', { messages: question, stream: how === 'streamed' });
    expect(answer.body.toString()).toContain('mark.');
    expect(answer.body.toString()).not.toMatch(/reasoning_details|extra_content/);
    expect(answerIn(upstream)).toEqual({ role: 'assistant', ...message });
  });

  it('is left out where chats are as the description has them', async () => {
    const { upstream, send } = await setUp({ env: {} });
    upstream.answer(answering(servers['signatures of Gemini']!));
    const { body, next } = clients['chat/completions']!;
    const first = await send('chat/completions', body);
    expect(first.body.toString()).not.toContain('extra_content');
    const own = { role: 'assistant', content: 'Hm.', reasoning_details: [signed], ...extra('dGV4dA==') };
    await send('chat/completions', { ...body, ...next([own], []) });
    expect(answerIn(upstream)).toEqual({ role: 'assistant', content: 'Hm.' });
  });

  it('is ignored in any other form', async () => {
    const { upstream, send } = await setUp();
    let deep: unknown = 'x';
    for (let depth = 0; depth < 9; depth++) deep = { deep };
    for (const details of ['a', 7, {}, [], [null], ['a'], [[signed]], [{ deep }], null])
      for (const content of ['a', 7, [], {}, { deep }, null]) {
        const own = { role: 'assistant', content: 'Hm.', reasoning_details: details, extra_content: content };
        expect((await send('chat/completions', { messages: [...question, own, ...question] })).status).toBe(200);
        expect(answerIn(upstream)).toEqual({ role: 'assistant', content: 'Hm.' });
      }
  });

  it('is left out where a redaction would change it', async () => {
    const [upstream] = await numberedUpstreams(1);
    const models = [{ name: 'cubic', upstreams: [{ url: upstream!.url }] }];
    const redactions = [{ name: 'card', pattern: '[0-9]{16}' }];
    const { server, credential } = await startModelsServer({ models, redactions }, { env: { CUBBY_AI: 'open' } });
    const details = (text: string) => [{ type: 'reasoning.text', text }];
    for (const [text, expected] of [
      ['4111', { reasoning_details: details('4111') }],
      ['4111111111111111', {}],
    ] as const) {
      const own = { role: 'assistant', content: 'Hm.', reasoning_details: details(text) };
      const body = JSON.stringify({ messages: [...question, own, ...question] });
      await server.send('/v2/ai/chat/completions', { method: 'POST', credential, body });
      expect(answerIn(upstream!)).toEqual({ role: 'assistant', content: 'Hm.', ...expected });
    }
  });
});
