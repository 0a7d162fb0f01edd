import { describe, expect, it } from 'vitest';

import { aiDoors, sendTo } from '#test/support/ai-doors.ts';
import { ask, startChatServer } from '#test/support/chat.ts';
import { StoreFaults } from '#test/contract/code-pairs/store-faults.ts';
import { upload } from '#test/support/files.ts';
import type { TestServerOptions } from '#test/support/server.ts';

const notes = 'An ETag names one version. '.repeat(30);

/** The text that the model gets of a file. */
const framed = (text: string, more = '') =>
  `<document>\n<source>a.md</source>\n${more}<document_content>\n${text}\n</document_content>\n</document>`;

async function setUp(options: TestServerOptions = {}) {
  const { server, upstream } = await startChatServer(options);
  upstream.answer({ text: 'A mark.' });
  const account = await server.account('enterprise');
  const put = async (text: string, query: Readonly<Record<string, string>> = {}): Promise<string> => {
    const answer = await upload(server, account, {
      ...{ bytes: Buffer.from(text), filename: 'a.md' },
      query: { private: 'true', ...query },
    });
    return answer.json().response.id;
  };
  const { credential } = account;
  const send = (path: string, body: object, headers = {}) =>
    server.send(`/v2/ai/${path}`, { method: 'POST', credential, body: JSON.stringify(body), headers });
  const asked = () => upstream.requests.map(({ body }) => body.messages);
  return { server, upstream, account, credential, put, send, asked };
}

const call = { id: 'c1', type: 'function', function: { name: 'find', arguments: '{}' } };
const calling = { role: 'assistant', content: null, tool_calls: [call] };
const text = (role: string, content: string) => ({ role, content });

/** Where a request may name a file: the request, and the messages that the model gets. */
const places: Readonly<
  Record<string, readonly [path: string, body: (id: string) => object, asked: ReadonlyArray<object>]>
> = {
  'the system, the assistant and the result of a function in chats': [
    'chat/completions',
    (id) => {
      const file = [{ type: 'file', file: { file_id: id, filename: 'other.txt', file_data: null } }];
      const result = { role: 'tool', tool_call_id: 'c1', content: file };
      return {
        messages: [
          text('user', 'a'),
          calling,
          result,
          { role: 'system', content: file },
          { role: 'user', content: file },
        ],
      };
    },
    [
      text('user', 'a'),
      calling,
      { role: 'tool', tool_call_id: 'c1', content: framed(notes) },
      text('system', framed(notes)),
      text('user', framed(notes)),
    ],
  ],
  'the output of a function in Open Responses': [
    'responses',
    (id) => ({
      input: [
        { role: 'developer', content: [{ type: 'input_file', file_id: id, file_url: null }] },
        { type: 'function_call', call_id: 'c1', name: 'find', arguments: '{}' },
        { type: 'function_call_output', call_id: 'c1', output: [{ type: 'input_file', file_id: id }] },
      ],
    }),
    [text('system', framed(notes)), calling, { role: 'tool', tool_call_id: 'c1', content: framed(notes) }],
  ],
  'the output of a tool that the gateway does not run': [
    'responses',
    (id) => ({
      input: [{ type: 'custom_tool_call_output', call_id: 'c1', output: [{ type: 'input_file', file_id: id }] }],
    }),
    [text('user', `[custom_tool_call_output c1]\n${framed(notes)}`)],
  ],
  'the system and the result of a function in Messages': [
    'messages',
    (id) => {
      const file = [{ type: 'document', source: { type: 'file', file_id: id } }];
      return {
        system: file,
        messages: [
          text('user', 'a'),
          { role: 'assistant', content: [{ type: 'tool_use', id: 'c1', name: 'find', input: {} }] },
          { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'c1', content: file }] },
        ],
      };
    },
    [
      text('system', framed(notes)),
      text('user', 'a'),
      calling,
      { role: 'tool', tool_call_id: 'c1', content: framed(notes) },
    ],
  ],
  'a document with a title and a context': [
    'messages',
    (id) => {
      const source = { type: 'file', file_id: id };
      const document = { type: 'document', title: 'April & May', context: 'Seen.', source, cache_control: null };
      const odd = { type: 'document', title: 7, context: {}, source };
      return {
        messages: [
          { role: 'user', content: [document] },
          { role: 'assistant', content: [{ type: 'tool_use', id: 'c1', name: 'find', input: {} }] },
          { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'c1', content: [odd] }] },
        ],
      };
    },
    [
      text('user', framed(notes, '<title>April &amp; May</title>\n<context>Seen.</context>\n')),
      calling,
      { role: 'tool', tool_call_id: 'c1', content: framed(notes) },
    ],
  ],
};

describe('the text of a file is in place of its part', () => {
  it.each(Object.entries(places))('%s', async (_, [path, body, messages]) => {
    const { put, send, asked } = await setUp();
    const answer = await send(path, body(await put(notes)));
    expect([answer.status, answer.headers.get('x-cubby-ignored')]).toEqual([200, null]);
    expect(asked()).toEqual([messages]);
  });

  it.each([
    ['chat/completions', { messages: [{ role: 'user', content: [{ type: 'file', file: { file_data: 'YQ==' } }] }] }],
    [
      'chat/completions',
      { messages: [{ role: 'user', content: [{ type: 'file', file: { file_id: 'a', file_data: 'YQ==' } }] }] },
    ],
    ['responses', { input: [{ role: 'user', content: [{ type: 'input_file', file_data: 'YQ==' }] }] }],
    [
      'responses',
      { input: [{ role: 'user', content: [{ type: 'input_file', file_id: 'a', file_url: 'https://a' }] }] },
    ],
    ['responses', { input: [{ role: 'user', content: [{ type: 'input_image', file_id: 'a' }] }] }],
    [
      'messages',
      { messages: [{ role: 'user', content: [{ type: 'image', source: { type: 'file', file_id: 'a' } }] }] },
    ],
    ['messages', { messages: [{ role: 'user', content: [{ type: 'document', source: { type: 'file' } }] }] }],
    ['messages', { messages: [{ role: 'user', content: [{ type: 'container_upload', file_id: 'a' }] }] }],
  ])('parts with contents of their own are rejected as before: %s %j', async (path, body) => {
    const { send } = await setUp();
    const answer = await send(path, body);
    expect([answer.status, answer.json().error.code]).toEqual([400, 'multimodal_not_supported']);
  });
});

describe('a file that a request names', () => {
  it('is part of the key of the cache by its text: a changed file is a changed request', async () => {
    const { put, send, asked } = await setUp({ env: { CUBBY_AI_CACHE_SECONDS: '60' } });
    const stored = async (content: string) =>
      put(content, { private: 'false', security_hash: 'false', name: 'a', overwrite: 'true' });
    const id = await stored(notes);
    const status = async () =>
      (await send('chat/completions', { ...aiDoors.chats!.body('a', [id]), temperature: 0 })).headers.get(
        'cache-status',
      );
    expect(await status()).toBe('cubby; fwd=miss; stored');
    expect(await status()).toBe('cubby; hit; ttl=60');
    expect(await stored(notes.toUpperCase())).toBe(id);
    expect(await status()).toBe('cubby; fwd=miss; stored');
    expect(asked()).toEqual([
      [text('user', `a\n${framed(notes)}`)],
      [text('user', `a\n${framed(notes.toUpperCase())}`)],
    ]);
  });

  it('counts as input of the request, and as no download and no activity', async () => {
    const { put, send, credential, server, upstream } = await setUp();
    upstream.answer({ text: 'A mark.', usage: null });
    const id = await put(notes);
    const activity = async () => (await server.send('/v1/account/activity', { credential })).json().response;
    const before = await activity();
    const answer = await send('chat/completions', aiDoors.chats!.body('a', [id]));
    expect(answer.json().usage.prompt_tokens).toBeGreaterThan(notes.length / 5);
    expect(await activity()).toEqual(before);
  });

  it('is in no log and in no list of requests', async () => {
    const { put, send, credential, server } = await setUp({ env: { CUBBY_AI_LOG_DAYS: '30' } });
    const id = await put(notes);
    for (const [path, door] of [
      ['chat/completions', aiDoors.chats!],
      ['responses', aiDoors['Open Responses']!],
    ] as const) {
      await send(path, door.body('a', [id]));
      await send(path, door.body('a', [`${id}x`]));
    }
    const list = async () => (await server.send('/v2/ai/requests', { credential })).json();
    await expect.poll(async () => (await list()).requests.length).toBe(4);
    const outcomes = (await list()).requests.map(({ outcome }: { outcome: string }) => outcome);
    expect(outcomes.toSorted()).toEqual(['answered', 'answered', 'file_not_found', 'file_not_found']);
    const kept = JSON.stringify([await list(), server.log]);
    expect([kept.includes('An ETag names'), kept.includes(id)]).toEqual([false, false]);
  });

  it('is not looked up for a model that the key may not use', async () => {
    const { put, server, account } = await setUp();
    const id = await put(notes);
    const key = await server.key(account, { scopes: ['ai:chat', 'blob:read'], ai: { models: ['another'] } });
    const answer = await ask(server, key, aiDoors.chats!.body('a', [`${id}x`]));
    expect([answer.status, answer.json().error.code]).toEqual([403, 'model_not_allowed']);
  });
});

describe('a store that fails', () => {
  it.each(Object.entries(aiDoors).filter(([name]) => !name.endsWith('a stream')))(
    '%s: storage_unavailable',
    async (_, door) => {
      const faults = new StoreFaults();
      const { put, server, credential, upstream } = await setUp({ blobs: faults.blobs, metadata: faults.metadata });
      const id = await put(notes.repeat(100));
      const send = () => sendTo(server, door, credential, door.body('a', [id]));
      for (const answer of [
        await faults.unavailable('blobs.open', send),
        await faults.broken('blobs.open', send),
        await faults.unavailable('objects.find', send),
      ])
        expect([answer.status, answer.json().error.code]).toEqual([503, 'storage_unavailable']);
      expect(upstream.requests).toHaveLength(0);
      expect((await send()).status).toBe(200);
    },
  );
});
