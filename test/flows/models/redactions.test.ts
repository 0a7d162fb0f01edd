import { describe, expect, it } from 'vitest';

import { eventually } from '#test/support/eventually.ts';
import { numberedUpstreams, startModelsServer } from '#test/support/models.ts';

const secret = '4111111111111111';
const redactions = [{ name: 'card', pattern: '[0-9]{16}' }];
const call = { name: 'find', arguments: JSON.stringify({ card: secret }) };
const user = { role: 'user', content: `My card is ${secret}.` };

/** The requests of each protocol, with the secret in every text that goes to the model. */
const requests = {
  'chat/completions': {
    messages: [
      { role: 'system', content: secret },
      user,
      { role: 'assistant', content: secret, tool_calls: [{ id: 'a', type: 'function', function: call }] },
      { role: 'tool', tool_call_id: 'a', content: secret },
    ],
  },
  responses: {
    instructions: secret,
    input: [
      user,
      { role: 'assistant', content: secret },
      { type: 'function_call', call_id: 'a', ...call },
      { type: 'function_call_output', call_id: 'a', output: secret },
    ],
  },
  messages: {
    system: secret,
    messages: [
      user,
      {
        role: 'assistant',
        content: [
          { type: 'text', text: secret },
          { type: 'tool_use', id: 'a', name: 'find', input: { card: secret } },
        ],
      },
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'a', content: secret }] },
    ],
  },
};

async function setUp(more: object = { redactions }, env: Record<string, string> = {}) {
  const [upstream] = await numberedUpstreams(1);
  const models = [{ name: 'cubic', upstreams: [{ url: upstream!.url }] }];
  const embeddings = { CUBBY_AI_EMBEDDINGS_URL: upstream!.url, CUBBY_AI_EMBEDDINGS_MODEL: 'vectors' };
  const setup = await startModelsServer({ models, ...more }, { env: { CUBBY_AI: 'open', ...embeddings, ...env } });
  const send = (path: string, body: object) => {
    const options = { method: 'POST', credential: setup.credential, body: JSON.stringify(body) };
    return setup.server.send(`/v2/ai/${path}`, options);
  };
  return { ...setup, upstream: upstream!, models, send };
}

describe('redactions of the file of models', () => {
  it.each(
    Object.entries(requests).flatMap(([path, body]) => [false, true].map((stream) => [path, stream, body] as const)),
  )('apply to every text of %s, streamed: %s', async (path, stream, body) => {
    const { upstream, send } = await setUp();
    expect((await send(path, { ...body, stream })).status).toBe(200);
    const sent = JSON.stringify(upstream.requests[0]!.body.messages);
    expect(sent).not.toContain(secret);
    expect(sent.match(/\[card\]/g)).toHaveLength(5);
  });

  it('apply to texts for embeddings, and tokens are rejected', async () => {
    const { upstream, send } = await setUp();
    expect((await send('embeddings', { input: ['hello', `My card is ${secret}.`] })).status).toBe(200);
    expect(upstream.requests[0]!.body.input).toEqual(['hello', 'My card is [card].']);
    const tokens = await send('embeddings', { input: [[1, 2, 3]] });
    expect([tokens.status, tokens.json().error.code]).toEqual([400, 'invalid_request']);
    expect(tokens.json().error.message).toContain('Send texts');
    expect(upstream.requests.length).toBe(1);
  });

  it('change with the file, for the next request', async () => {
    const { upstream, send, file, models, server } = await setUp({});
    const sent = async () => {
      await send('chat/completions', { messages: [user] });
      return (upstream.requests.at(-1)!.body.messages as Array<{ content: string }>)[0]!.content;
    };
    expect(await sent()).toContain(secret);
    file.write({ models, redactions });
    await eventually(() => expect(server.log.some((line) => 'redactions' in line)).toBe(true));
    expect(await sent()).toBe('My card is [card].');
  });

  it('send nothing when a pattern takes too long, charge nothing, and tell the operator', async () => {
    const slow = [{ name: 'slow', pattern: '(a+)+$' }];
    const { upstream, send, server, credential } = await setUp({ redactions: slow });
    const answer = await send('chat/completions', { messages: [{ role: 'user', content: `${'a'.repeat(40)}!` }] });
    expect([answer.status, answer.json().error.code]).toEqual([503, 'server_overloaded']);
    expect(upstream.requests).toEqual([]);
    expect(JSON.stringify(server.log)).toContain('The redactions in CUBBY_AI_MODELS_FILE took over 2000 ms');
    const { tokens } = (await server.send('/v2/ai/usage', { credential })).json();
    expect(tokens.today.used).toBe(0);
  });
});
