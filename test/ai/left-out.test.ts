import { describe, expect, it } from 'vitest';

import { LeftOut } from '#server/features/chat/handlers/left-out.ts';
import { startChatServer } from '#test/support/chat.ts';

/** An element of a request, what the model gets of it, and what the response says was left out. */
type Row = readonly [element: object, asked: readonly object[], ignored?: string];

const user = { role: 'user', content: 'hello' };
const output = (text: string, title: string) => ({ role: 'user', content: `[${title}]\n${text}` });
const said = (text: string, title: string) => ({ role: 'assistant', content: `[${title}]\n${text}` });
const asUser = (content: string) => ({ role: 'user', content });

const items: readonly Row[] = [
  [
    { type: 'custom_tool_call', call_id: 'c1', name: 'apply_patch', input: 'a\nb' },
    [said('a\nb', 'custom_tool_call apply_patch c1')],
  ],
  [{ type: 'custom_tool_call_output', call_id: 'c1', output: 'done' }, [output('done', 'custom_tool_call_output c1')]],
  [
    { type: 'mcp_call', name: 'find', arguments: '{}', output: [{ type: 'text', text: 'found' }] },
    [output('found', 'mcp_call find')],
  ],
  [
    { type: 'mcp_call', name: 'find', output: [{ type: 'text', text: 'found' }, { type: 'resource' }] },
    [output('found', 'mcp_call find')],
    'input.resource',
  ],
  [
    { type: 'custom_tool_call', name: 'patch', input: [null, 'a', { type: 'text', text: 'b' }] },
    [said('b', 'custom_tool_call patch')],
    'input.other;n=2',
  ],
  [{ type: 'shell_call_output', output: [{ stdout: 'a' }] }, [], 'input.shell_call_output'],
  [{ type: 'web_search_call', id: 'w1', action: { type: 'search', query: 'etag' } }, [], 'input.web_search_call'],
  [{ type: 'tool_search_call', call_id: 't1', arguments: { query: 'a' } }, [], 'input.tool_search_call'],
  [{ type: 'compaction', encrypted_content: 'gAAA' }, [], 'input.compaction'],
];

const blocks: readonly Row[] = [
  [{ type: 'document', source: { type: 'text', media_type: 'text/plain', data: 'A mark.' } }, [asUser('A mark.')]],
  [
    { type: 'document', title: 'ETags', source: { type: 'content', content: [{ type: 'text', text: 'A mark.' }] } },
    [asUser('ETags\nA mark.')],
  ],
  [
    { type: 'search_result', source: 'https://a', title: 'ETags', content: [{ type: 'text', text: 'A mark.' }] },
    [asUser('ETags\nhttps://a\nA mark.')],
  ],
  [{ type: 'tool_reference', tool_name: 'find' }, [asUser('tool_reference: find')]],
  [{ type: 'thinking', thinking: 'Hm.', signature: 'x' }, [], 'messages.thinking'],
  [{ type: 'redacted_thinking', data: 'x' }, [], 'messages.redacted_thinking'],
  [{ type: 'server_tool_use', id: 's', name: 'web_search', input: {} }, [], 'messages.server_tool_use'],
  [{ type: 'a b\u0000\n' }, [], 'messages.other'],
];

const toolTypes = ['custom', 'mcp', 'web_search', 'namespace', 'web_search_20250305', 'tool_search', 'bash_20250124'];
const find = { name: 'find' };

/** The forms of requests: the path, a body with a tool of another type, and a choice of that tool. */
const forms = {
  'chat/completions': (type: string) => ({
    body: {
      messages: [user],
      tools: [
        { type: 'function', function: find },
        { type, name: 'other' },
      ],
    },
    choice: { type: 'function', function: { name: 'other' } },
  }),
  responses: (type: string) => ({
    body: {
      input: 'hello',
      tools: [
        { type: 'function', ...find },
        { type, name: 'other' },
      ],
    },
    choice: { type, name: 'other' },
  }),
  messages: (type: string) => ({
    body: { messages: [user], max_tokens: 9, tools: [find, { type: type === 'custom' ? 'mcp' : type, name: 'other' }] },
    choice: { type: 'tool', name: 'other' },
  }),
};

async function setUp() {
  const env = { CUBBY_AI_CLIENT_FORMS: 'on', CUBBY_AI_STREAMING: 'on', CUBBY_AI_LOG_DAYS: '1', CUBBY_LOG: 'debug' };
  const setup = await startChatServer({ env });
  const { credential } = await setup.server.account('enterprise');
  const send = async (path: string, body: object) => {
    const before = setup.upstream.requests.length;
    const sent = { method: 'POST', credential, body: JSON.stringify(body) };
    const answer = await setup.server.send(`/v2/ai/${path}`, sent);
    const asked = setup.upstream.requests[before]?.body as any;
    return { answer, asked, ignored: answer.headers.get('x-cubby-ignored') ?? undefined };
  };
  return { ...setup, credential, send };
}

describe('an element that the gateway cannot use', () => {
  it('is left out as a tool, in all forms, and no choice may need it', async () => {
    const { send } = await setUp();
    for (const [path, formOf] of Object.entries(forms))
      for (const type of toolTypes)
        for (const stream of [false, true]) {
          const { body, choice } = formOf(type);
          const { answer, asked, ignored } = await send(path, { ...body, stream });
          const left = `tools.${path === 'messages' && type === 'custom' ? 'mcp' : type}`;
          expect([answer.status, ignored], `${path} ${type}`).toEqual([200, left]);
          expect(asked.tools.map((tool: any) => tool.function.name)).toEqual(['find']);
          const refused = await send(path, { ...body, tool_choice: choice });
          const { code, message } = refused.answer.json().error;
          expect([refused.answer.status, code, refused.ignored]).toEqual([400, 'invalid_tool_choice', undefined]);
          expect(message).toContain('tool_choice');
          if (path !== 'chat/completions') expect(message).toContain('cannot run');
        }
  });

  it('of the history is kept as a text where it has one, and left out otherwise', async () => {
    const { send } = await setUp();
    const dropped = (asked: any) => asked.messages.slice(1, -1);
    for (const [element, expected, left] of items) {
      const { answer, asked, ignored } = await send('responses', { input: [user, element, user] });
      expect([answer.status, dropped(asked), ignored], JSON.stringify(element)).toEqual([200, expected, left]);
    }
    for (const [element, expected, left] of blocks) {
      const messages = [user, { role: 'user', content: [element] }, user];
      const { answer, asked, ignored } = await send('messages', { messages, max_tokens: 9 });
      expect([answer.status, dropped(asked), ignored], JSON.stringify(element)).toEqual([200, expected, left]);
      const result = { type: 'tool_result', tool_use_id: 'a', content: [element] };
      const use = { role: 'assistant', content: [{ type: 'tool_use', id: 'a', name: 'find', input: {} }] };
      const inResult = await send('messages', { messages: [user, use, { role: 'user', content: [result] }] });
      const text = (expected[0] as { content: string } | undefined)?.content ?? '';
      expect([inResult.asked.messages.at(-1), inResult.ignored]).toEqual([
        { role: 'tool', tool_call_id: 'a', content: text },
        left,
      ]);
    }
  });

  it('never stands between a call and its result', async () => {
    const { send } = await setUp();
    const call = { type: 'function_call', call_id: 'a', name: 'find', arguments: '{}' };
    const other = { type: 'custom_tool_call_output', call_id: 'b', output: 'done' };
    const result = { type: 'function_call_output', call_id: 'a', output: 'here' };
    const { asked } = await send('responses', { input: [user, call, other, result] });
    expect(asked.messages.map(({ role }: any) => role)).toEqual(['user', 'assistant', 'tool', 'user']);
  });

  it('with a text never parts the calls of one answer', async () => {
    const { send } = await setUp();
    const call = (id: string) => ({ type: 'function_call', call_id: id, name: 'find', arguments: '{}' });
    const result = (id: string) => ({ type: 'function_call_output', call_id: id, output: id });
    const run = (id: string) => ({ type: 'mcp_call', name: id, arguments: '{}', output: 'found' });
    const wrote = { type: 'custom_tool_call', name: 'patch', input: 'a' };
    const [a, b] = [call('a'), call('b')];
    const results = [result('a'), result('b')];
    const roles = ['user', 'assistant', 'tool', 'tool'];
    for (const [input, last] of [
      [[a, run('m'), b, ...results], ['user']],
      [
        [a, run('m'), wrote, run('n'), b, ...results, user],
        ['user', 'assistant', 'user', 'user'],
      ],
      [[a, { role: 'system', content: 'Hm.' }, b, ...results], ['system']],
    ] as const) {
      const { answer, asked } = await send('responses', { input: [user, ...input] });
      expect([answer.status, asked?.messages.map(({ role }: any) => role)]).toEqual([200, [...roles, ...last]]);
      expect(asked.messages[1].tool_calls.map(({ id }: any) => id)).toEqual(['a', 'b']);
    }
  });

  it('is rejected if it has a picture or a file besides its text', async () => {
    const { send } = await setUp();
    const text = { type: 'input_text', text: 'a' };
    for (const type of ['input_image', 'input_file', 'computer_screenshot'])
      for (const field of ['output', 'input']) {
        const item = { type: 'custom_tool_call_output', call_id: 'c1', [field]: [text, { type, file_data: 'YQ==' }] };
        const { answer } = await send('responses', { input: [user, item] });
        const { code, message } = answer.json().error;
        expect([answer.status, code]).toEqual([400, 'multimodal_not_supported']);
        expect(message).toContain(`input[1].${field}[1].type`);
      }
  });

  it('is rejected if it is content without a text', async () => {
    const { send } = await setUp();
    const pdf = { type: 'base64', media_type: 'application/pdf', data: 'JVBERi0=' };
    for (const block of [{ type: 'document', source: pdf }, { type: 'document' }, { type: 'image', source: pdf }]) {
      const { answer } = await send('messages', { messages: [{ role: 'user', content: [block] }] });
      expect([answer.status, answer.json().error.code]).toEqual([400, 'multimodal_not_supported']);
    }
  });

  it('is in the list of requests and in the log, and scripts of other origins may read the header', async () => {
    const { server, credential, send } = await setUp();
    const { body } = forms.responses('mcp');
    const answer = await fetch(`${server.running.urls.api}/v2/ai/responses`, {
      method: 'POST',
      headers: {
        origin: 'https://app.example.com',
        authorization: `Bearer ${credential}`,
        'content-type': 'application/json',
      },
      body: JSON.stringify({ ...body, input: [{ type: 'reasoning' }, { type: 'reasoning' }, user] }),
    });
    const list = 'input.reasoning;n=2, tools.mcp';
    expect(answer.headers.get('x-cubby-ignored')).toBe(list);
    expect(answer.headers.get('access-control-expose-headers')).toContain('X-Cubby-Ignored');
    expect(server.log).toContainEqual(expect.objectContaining({ level: 'debug', left_out: list }));
    server.clock.advance(1000);
    expect((await send('responses', { input: 'hello' })).ignored).toBeUndefined();
    const listed = async () => (await server.send('/v2/ai/requests', { credential })).json().requests;
    await expect
      .poll(async () => (await listed()).map(({ ignored }: any) => ignored), { timeout: 5000 })
      .toEqual([null, list]);
  });
});

describe('LeftOut', () => {
  it('has a bounded length, and no text of a client but types', () => {
    const left = new LeftOut();
    expect(left.list).toBeUndefined();
    for (let at = 0; at < 2000; at++) left.add('input', `type_${at}`);
    left.add('tools', 'Ärger\r\nX: y');
    left.add('tools', undefined);
    expect(left.list).toMatch(/^input\.type_0, input\.type_1, [ -~]+, more;n=\d+$/);
    expect(left.list!.length).toBeLessThan(540);
  });
});
