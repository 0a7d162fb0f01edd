import { describe, expect, it } from 'vitest';

import { chunkOf, eventOf } from '#mocks/chat-upstream-answers.ts';
import type { UpstreamBehaviour } from '#mocks/chat-upstream.ts';
import { startChatServer } from '#test/support/chat.ts';

const thoughts = 'The question is about HTTP. 😀';
const usage = { prompt_tokens: 12, completion_tokens: 9 };
const toolCall = { id: 'call_9', type: 'function', function: { name: 'find', arguments: '{}' } };
const question = [{ role: 'user', content: 'What is an ETag?' }];
const parameters = { type: 'object', properties: {} };

type Field = 'reasoning_content' | 'reasoning';

/** A model that thinks, says something and calls a function, whole or as a stream. */
const thinker =
  (field: Field): UpstreamBehaviour =>
  ({ body }) => {
    const [first, second] = [thoughts.slice(0, 13), thoughts.slice(13)];
    const pieces = [
      chunkOf({ role: 'assistant', content: '' }),
      chunkOf({ [field]: first }),
      chunkOf({ [field]: second }),
      chunkOf({ content: 'I look.' }),
      chunkOf({ [field]: ' Too late.' }),
      chunkOf({ tool_calls: [{ index: 0, ...toolCall }] }, 'tool_calls', { usage }),
      eventOf('[DONE]'),
    ];
    if (body.stream === true) return { pieces };
    const message = { role: 'assistant', content: 'I look.', [field]: thoughts, tool_calls: [toolCall] };
    return {
      status: 200,
      body: JSON.stringify({ choices: [{ index: 0, message, finish_reason: 'tool_calls' }], usage }),
      headers: { 'Content-Type': 'application/json' },
    };
  };

/** A protocol: its first request, what a client reads of the answer, and its second request. */
interface Protocol {
  readonly path: string;
  readonly body: object;
  /** Returns the thoughts, and the parts of the answer that a client sends back. */
  readonly whole: (answer: any) => { readonly thoughts: unknown; readonly answered: readonly object[] };
  readonly streamed: (events: readonly any[]) => { readonly thoughts: unknown; readonly answered: readonly object[] };
  readonly next: (answered: readonly object[]) => object;
}

const protocols = (field: Field): readonly Protocol[] => [
  {
    path: 'chat/completions',
    body: { messages: question, tools: [{ type: 'function', function: { name: 'find', parameters } }] },
    whole: ({ choices: [{ message }] }) => ({ thoughts: message[field], answered: [message] }),
    streamed(events) {
      const deltas = events.map(({ choices }) => choices?.[0]?.delta ?? {});
      // Chats show all that the model's server sends.
      const said = deltas.map((delta) => delta[field] ?? '').join('');
      expect(said).toBe(`${thoughts} Too late.`);
      const message = { role: 'assistant', content: 'I look.', tool_calls: [toolCall], [field]: thoughts };
      return { thoughts: said.slice(0, thoughts.length), answered: [message] };
    },
    next: (answered) => ({
      messages: [...question, ...answered, { role: 'tool', tool_call_id: 'call_9', content: 'x' }],
    }),
  },
  {
    path: 'responses',
    body: {
      input: question,
      tools: [{ type: 'function', name: 'find', parameters }],
      include: ['reasoning.encrypted_content'],
    },
    whole: ({ output }) => ({ thoughts: output[0].content[0].text, answered: output }),
    streamed(events) {
      const pieces = events.filter(({ type }) => type === 'response.reasoning_text.delta');
      const { output } = events.find(({ type }) => type === 'response.completed').response;
      expect(events.filter(({ type }) => type === 'response.output_item.done').map(({ item }) => item)).toEqual(output);
      return { thoughts: pieces.map(({ delta }) => delta).join(''), answered: output };
    },
    // Agents leave the text out, and carry the rest.
    next: (answered) => ({
      input: [
        ...question,
        ...answered.map((item: any) => (item.type === 'reasoning' ? { ...item, content: undefined } : item)),
        { type: 'function_call_output', call_id: 'call_9', output: 'x' },
      ],
    }),
  },
  {
    path: 'messages',
    body: {
      messages: question,
      max_tokens: 100,
      tools: [{ name: 'find', input_schema: parameters }],
      thinking: { type: 'enabled', budget_tokens: 1024 },
    },
    whole: ({ content }) => ({ thoughts: content[0].thinking, answered: content }),
    streamed(events) {
      const blocks: any[] = [];
      for (const { type, index, content_block: block, delta } of events) {
        if (type === 'content_block_start') blocks[index] = { ...block };
        if (type !== 'content_block_delta') continue;
        if (delta.type === 'thinking_delta') blocks[index].thinking += delta.thinking;
        if (delta.type === 'signature_delta') blocks[index].signature += delta.signature;
        if (delta.type === 'text_delta') blocks[index].text += delta.text;
      }
      return { thoughts: blocks[0].thinking, answered: blocks };
    },
    next: (answered) => ({
      messages: [
        ...question,
        { role: 'assistant', content: answered },
        { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'call_9', content: 'x' }] },
      ],
    }),
  },
];

function eventsIn(text: string): unknown[] {
  return [...text.matchAll(/^data: (\{.*)$/gm)].map(([, data]) => JSON.parse(data!) as unknown);
}

async function setUp(env: Readonly<Record<string, string>> = { CUBBY_AI: 'open' }, search = false) {
  const { server, upstream } = await startChatServer({ env, search });
  const { credential } = await server.account('enterprise');
  const send = (path: string, body: object) =>
    server.send(`/v2/ai/${path}`, { method: 'POST', credential, body: JSON.stringify(body) });
  return { upstream, send };
}

const cases = (['reasoning_content', 'reasoning'] as const).flatMap((field) =>
  protocols(field).flatMap((protocol) =>
    ['whole', 'streamed'].map((how) => [protocol.path, how, field, protocol] as const),
  ),
);

describe("the model's thoughts", () => {
  it.each(cases)('are in the answer of %s, %s, and go back to the server as %s', async (...row) => {
    const [path, how, field, { body, whole, streamed, next }] = row;
    const { upstream, send } = await setUp();
    upstream.answer(thinker(field), { text: 'Done.' });
    const first = await send(path, { ...body, stream: how === 'streamed' });
    const read = how === 'streamed' ? streamed(eventsIn(first.body.toString())) : whole(first.json());
    expect(read.thoughts).toBe(thoughts);

    const second = await send(path, { ...body, ...next(read.answered) });
    expect([second.status, second.headers.get('x-cubby-ignored')]).toEqual([200, null]);
    const { messages } = upstream.requests.at(-1)!.body as {
      readonly messages: ReadonlyArray<Record<string, unknown>>;
    };
    expect(messages.map((message) => message[field])).toEqual([undefined, thoughts, undefined]);
    expect(messages[1]).toMatchObject({ content: 'I look.', tool_calls: [toolCall] });
  });

  it.each(
    protocols('reasoning_content').flatMap((protocol) =>
      ['whole', 'streamed'].map((how) => [protocol.path, how, protocol] as const),
    ),
  )('of all rounds with the web search are in the answer of %s, %s', async (path, how, { body }) => {
    const { upstream, send } = await setUp(undefined, true);
    const toolCalls = [{ id: 's', name: 'web_search', arguments: '{"query":"etag"}' }];
    upstream.answer({ reasoning: 'I search.', toolCalls }, { reasoning: 'I know.', text: 'A mark.' });
    const asked = { ...body, ...(path === 'messages' && { thinking: { type: 'adaptive' } }) };
    const answer = await send(path, { ...asked, stream: how === 'streamed' });
    const thoughtsIn = (part: any): string =>
      part.choices?.[0].message?.reasoning_content ??
      part.choices?.[0]?.delta?.reasoning_content ??
      part.output?.[0].content[0].text ??
      part.content?.[0].thinking ??
      (part.type === 'response.reasoning_text.delta' ? part.delta : part.delta?.thinking) ??
      '';
    const parts = how === 'streamed' ? eventsIn(answer.body.toString()) : [answer.json()];
    expect(parts.map(thoughtsIn).join('')).toBe('I search.\n\nI know.');
    // The server gets back what belongs to the call.
    const { messages } = upstream.requests[1]!.body as { readonly messages: ReadonlyArray<Record<string, unknown>> };
    expect(messages.flatMap(({ reasoning_content: text }) => text ?? [])).toEqual(['I search.']);
  });

  it('are left out where a client does not expect them', async () => {
    const { upstream, send } = await setUp({ CUBBY_AI_STREAMING: 'on' });
    upstream.answer(thinker('reasoning_content'));
    const [chat, , messages] = protocols('reasoning_content');
    for (const stream of [false, true]) {
      const plain = await send(chat!.path, { ...chat!.body, stream });
      const disabled = await send(messages!.path, { ...messages!.body, stream, thinking: { type: 'disabled' } });
      for (const answer of [plain, disabled]) {
        expect(answer.status).toBe(200);
        expect(answer.body.toString()).toContain('I look.');
        expect(answer.body.toString()).not.toMatch(/reasoning_content|thinking|about HTTP/);
      }
    }
    await send(chat!.path, {
      messages: [...question, { role: 'assistant', content: 'a', reasoning: 'b' }, ...question],
    });
    expect(JSON.stringify(upstream.requests.at(-1)!.body)).not.toContain('reasoning');
  });

  it('are in the signature alone, if a client of Messages wants no text', async () => {
    for (const stream of [false, true]) {
      const { upstream, send } = await setUp();
      upstream.answer(thinker('reasoning'), { text: 'Done.' });
      const { path, body, whole, streamed, next } = protocols('reasoning')[2]!;
      const asked = { ...body, thinking: { type: 'adaptive', display: 'omitted' } };
      const first = await send(path, { ...asked, stream });
      expect(first.body.toString()).not.toContain('about HTTP');
      const read = stream ? streamed(eventsIn(first.body.toString())) : whole(first.json());
      expect(read.thoughts).toBe('');
      await send(path, { ...asked, ...next(read.answered) });
      const back = { content: 'I look.', reasoning: thoughts };
      expect(upstream.requests.at(-1)!.body).toMatchObject({ messages: [{}, back, {}] });
    }
  });

  it('of other services are left out, and named', async () => {
    const { upstream, send } = await setUp();
    const thinking = { type: 'thinking', thinking: 'Hm.', signature: 'EuYBCkQYAiJA' };
    const messages = [
      ...question,
      { role: 'assistant', content: [thinking, { type: 'text', text: 'a' }] },
      ...question,
    ];
    const ofMessages = await send('messages', { messages, max_tokens: 100 });
    const item = { type: 'reasoning', summary: [], encrypted_content: 'gAAAAABo' };
    const ofResponses = await send('responses', { input: [...question, item, { role: 'assistant', content: 'a' }] });
    const ignored = [ofMessages, ofResponses].map(({ headers }) => headers.get('x-cubby-ignored'));
    expect(ignored).toEqual(['messages.thinking', 'input.reasoning']);
    for (const { body } of upstream.requests) expect(JSON.stringify(body)).not.toMatch(/Hm|reasoning/);
  });

  it('are counted as input when they come back', async () => {
    const { send } = await setUp();
    const count = async (content: readonly object[]) =>
      (await send('messages/count_tokens', { messages: [...question, { role: 'assistant', content }] })).json()
        .input_tokens as number;
    const text = { type: 'text', text: 'a' };
    const signature = 'cubby1.reasoning_content.';
    const more = await count([{ type: 'thinking', thinking: 'one two three four five', signature }, text]);
    expect(more - (await count([text]))).toBeGreaterThanOrEqual(5);
  });

  it('of an answer from the cache are the same', async () => {
    const { upstream, send } = await setUp({ CUBBY_AI: 'open', CUBBY_AI_CACHE_SECONDS: '60' });
    upstream.answer(thinker('reasoning_content'), 'hang-up');
    const { path, body, whole } = protocols('reasoning_content')[0]!;
    const asked = () => send(path, { ...body, temperature: 0 });
    const [first, second] = [await asked(), await asked()];
    expect([first, second].map((answer) => whole(answer.json()).thoughts)).toEqual([thoughts, thoughts]);
    expect(second.headers.get('cache-status')).toContain('hit');
  });
});
