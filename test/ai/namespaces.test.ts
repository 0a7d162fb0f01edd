import { describe, expect, it } from 'vitest';

import { startChatServer } from '#test/support/chat.ts';
import { eventsOf } from '#test/support/responses.ts';

const parameters = { type: 'object', properties: { a: { type: 'number' } } };
const add = { type: 'function', name: 'add', description: 'Adds two numbers.', parameters, strict: false };
const adding = { type: 'namespace', name: 'mcp__adding', description: 'Sums.', tools: [add] };
const find = { type: 'function', name: 'find' };
const input = [{ role: 'user', content: 'Add them.' }];

async function setUp() {
  const { server, upstream } = await startChatServer();
  const { credential } = await server.account('enterprise');
  const send = async (body: object) => {
    const options = { method: 'POST', credential, body: JSON.stringify({ input, ...body }) };
    const answer = await server.send('/v2/ai/responses', options);
    const asked = upstream.requests.at(-1)?.body as any;
    return { answer, asked, names: (asked?.tools ?? []).map((tool: any) => tool.function.name) as string[] };
  };
  return { upstream, send };
}

describe('the functions of a namespace', () => {
  it.each([false, true])('are called by the name that the client knows, streamed: %s', async (stream) => {
    const { upstream, send } = await setUp();
    upstream.answer({ toolCalls: [{ id: 'call_1', name: 'mcp__adding__add', arguments: '{"a":1}' }] });
    const { answer, asked } = await send({ tools: [find, adding], stream });
    const { type: _, ...called } = add;
    expect(asked.tools[1]).toEqual({ type: 'function', function: { ...called, name: 'mcp__adding__add' } });
    expect(answer.headers.get('x-cubby-ignored')).toBeNull();
    const events = stream ? eventsOf(answer) : [];
    const { output } = stream ? events.find(({ type }) => type === 'response.completed').response : answer.json();
    const call = { type: 'function_call', call_id: 'call_1', namespace: 'mcp__adding', name: 'add' };
    expect(output).toMatchObject([{ ...call, arguments: '{"a":1}' }]);
    if (stream) {
      const items = events.filter(({ item }) => item !== undefined).map(({ item }) => item);
      expect(items).toMatchObject([call, call]);
      expect(events.find(({ type }) => type === 'response.function_call_arguments.done').name).toBe('add');
    }

    const result = { type: 'function_call_output', call_id: 'call_1', output: '42' };
    for (const tools of [[find, adding], [find]]) {
      const { asked } = await send({ tools, input: [...input, ...output, result] });
      expect(asked.messages[1].tool_calls[0].function.name).toBe('mcp__adding__add');
    }
  });

  it('get names that models take, each its own', async () => {
    const { send } = await setUp();
    const long = 'n'.repeat(60);
    const tools = [
      { type: 'function', name: 'crm__add' },
      { ...adding, name: 'crm' },
      { ...adding, name: 'agents.v1' },
      { ...adding, name: 'mcp__other__' },
      { ...adding, name: long, tools: [{ ...add, name: 'subtract' }] },
    ];
    const { names } = await send({ tools });
    expect(names).toEqual(['crm__add', 'add', 'agents_v1__add', 'mcp__other__add', 'subtract']);
  });

  it('are left out where no name is left, or the type is another, and named', async () => {
    const { send } = await setUp();
    const tools = [
      { type: 'function', name: 'add' },
      { ...adding, name: 'n'.repeat(64) },
      { ...adding, tools: [{ type: 'custom', name: 'patch' }, { type: 'function' }] },
      { type: 'namespace', name: 'empty', tools: [] },
      { type: 'namespace', name: 'none' },
    ];
    const { answer, names } = await send({ tools });
    expect([answer.status, names]).toEqual([200, ['add']]);
    expect(answer.headers.get('x-cubby-ignored')).toBe('tools.namespace;n=4, tools.custom');
  });

  it('can be all that a model must choose from', async () => {
    const { send } = await setUp();
    const { answer, asked } = await send({ tools: [adding], tool_choice: 'required' });
    expect([answer.status, asked.tool_choice]).toEqual([200, 'required']);
  });

  it('count as functions of the request', async () => {
    const { send } = await setUp();
    const many = Array.from({ length: 128 }, (_, at) => ({ ...add, name: `f${at}` }));
    const { answer } = await send({ tools: [find, { ...adding, tools: many }] });
    expect([answer.status, answer.json().error.code]).toEqual([400, 'invalid_tools']);
    expect(answer.json().error.message).toContain('129');
    expect((await send({ tools: [{ ...adding, tools: many }] })).names.length).toBe(128);
  });
});
