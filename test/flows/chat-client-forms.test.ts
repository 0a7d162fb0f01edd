import { describe, expect, it } from 'vitest';

import { ask, startChatServer } from '#test/support/chat.ts';

const question = { role: 'user', content: 'What is an ETag?' };
const parts = [
  { type: 'text', text: 'What is' },
  { type: 'text', text: 'an ETag?' },
];
const picture = { type: 'image_url', image_url: { url: 'data:image/png;base64,AAAA' } };
const setUp = async (env = {}) => {
  const setup = await startChatServer({ env });
  return { ...setup, credential: (await setup.server.account('enterprise')).credential };
};
const on = { CUBBY_AI_CLIENT_FORMS: 'on' };

describe('with CUBBY_AI_CLIENT_FORMS=on', () => {
  it('text in parts is joined, developer is system, and what clients send back is taken', async () => {
    const { server, upstream, credential } = await setUp(on);
    const messages = [
      { role: 'developer', content: 'Be brief.' },
      { role: 'user', content: parts, name: 'anna' },
      {
        role: 'assistant',
        content: [{ type: 'refusal', refusal: 'No.' }],
        refusal: null,
        annotations: [],
        audio: null,
        function_call: null,
        tool_calls: [],
      },
      question,
    ];
    expect((await ask(server, credential, { messages })).status).toBe(200);
    expect(upstream.requests[0]!.body.messages).toEqual([
      { role: 'system', content: 'Be brief.' },
      { role: 'user', content: 'What is\nan ETag?', name: 'anna' },
      { role: 'assistant', content: 'No.' },
      question,
    ]);
  });

  it('results of functions may be in parts', async () => {
    const { server, upstream, credential } = await setUp(on);
    const call = { id: 'a', type: 'function', function: { name: 'find', arguments: '{}' } };
    const messages = [
      question,
      { role: 'assistant', content: null, tool_calls: [call] },
      { role: 'tool', tool_call_id: 'a', content: [{ type: 'text', text: '1' }] },
    ];
    expect((await ask(server, credential, { messages })).status).toBe(200);
    expect((upstream.requests[0]!.body.messages as any[])[2].content).toBe('1');
  });

  it.each([
    ['a picture', [...parts, picture], 'multimodal_not_supported'],
    ['a sound', [{ type: 'input_audio', input_audio: {} }], 'multimodal_not_supported'],
    ['a text in place of a part', ['hello'], 'multimodal_not_supported'],
    ['no part', [], 'invalid_messages'],
    ['257 parts', Array(257).fill(parts[0]), 'invalid_messages'],
    ['a part without its text', [{ type: 'text' }], 'invalid_messages'],
    ['a part whose text is a number', [{ type: 'text', text: 7 }], 'invalid_messages'],
  ])('content with %s is rejected', async (_, content, code) => {
    const { server, credential } = await setUp(on);
    const answer = await ask(server, credential, { messages: [{ role: 'user', content }] });
    expect([answer.status, answer.json().error.code]).toEqual([400, code]);
  });

  it('the model gets further parameters that it may know', async () => {
    const { server, upstream, credential } = await setUp(on);
    const known = { logit_bias: { '42': -100 }, reasoning_effort: 'low', verbosity: 'high' };
    const without = { n: 1, logprobs: false, top_logprobs: 0, service_tier: 'auto', store: false, functions: [] };
    const ignored = { user: 'u', metadata: { a: 'b' }, prompt_cache_key: 'x' };
    const answer = await ask(server, credential, { messages: [question], ...known, ...without, ...ignored });
    expect(answer.status).toBe(200);
    expect(upstream.requests[0]!.body).toMatchObject(known);
    for (const name of Object.keys({ ...without, ...ignored }))
      expect(upstream.requests[0]!.body).not.toHaveProperty(name);
  });

  it.each([
    ['n', 2],
    ['logprobs', true],
    ['top_logprobs', 1],
    ['service_tier', 'flex'],
    ['store', true],
    ['functions', [{ name: 'find' }]],
  ])('%s is rejected where it cannot be kept', async (name, value) => {
    const { server, credential, upstream } = await setUp(on);
    const answer = await ask(server, credential, { messages: [question], [name]: value });
    expect([answer.status, answer.json().error]).toMatchObject([
      400,
      { code: 'invalid_body', message: expect.stringContaining(name) },
    ]);
    expect(upstream.requests).toHaveLength(0);
  });
});

describe('by default the description holds', () => {
  it('text in parts and the role developer are rejected', async () => {
    const { server, credential } = await setUp();
    const code = async (message: object) => (await ask(server, credential, { messages: [message] })).json().error.code;
    expect(await code({ role: 'user', content: parts })).toBe('multimodal_not_supported');
    expect(await code({ role: 'user', content: [] })).toBe('multimodal_not_supported');
    expect(await code({ role: 'developer', content: 'Be brief.' })).toBe('invalid_messages');
  });

  it('further parameters are ignored', async () => {
    const { server, upstream, credential } = await setUp();
    const further = {
      n: 5,
      logprobs: true,
      top_logprobs: 5,
      logit_bias: { '42': 1 },
      reasoning_effort: 'low',
      store: true,
    };
    expect((await ask(server, credential, { messages: [question], ...further })).status).toBe(200);
    expect(Object.keys(upstream.requests[0]!.body).sort()).toEqual(['max_tokens', 'messages', 'model']);
  });
});
