import { describe, expect, it } from 'vitest';

import { startChatServer } from '#test/support/chat.ts';

const schema = { type: 'object', properties: { month: { type: 'string' } }, required: ['month'] };
const messages = [{ role: 'user', content: 'Which month?' }];
const named = { name: 'output', schema, strict: true };

/** How each protocol asks for JSON, and what the model gets. */
const requests = [
  ['chat/completions', { messages, response_format: { type: 'json_schema', json_schema: named } }],
  ['chat/completions', { messages, response_format: { type: 'json_object' } }],
  ['responses', { input: 'Which month?', text: { format: { type: 'json_schema', ...named } } }],
  ['responses', { input: 'Which month?', text: { format: { type: 'json_object' } } }],
  ['messages', { messages, output_config: { format: { type: 'json_schema', schema } } }],
  ['messages', { messages, output_format: { type: 'json_schema', schema } }],
] as const;

describe('a request for JSON', () => {
  it.each(requests)('goes to the model: %s %j', async (path, body) => {
    const { server, upstream } = await startChatServer();
    const { credential } = await server.account('enterprise');
    upstream.answer({ text: '{"month":"May"}' });
    const answer = await server.send(`/v2/ai/${path}`, { method: 'POST', credential, body: JSON.stringify(body) });
    const isObject = JSON.stringify(body).includes('json_object');
    const expected = isObject ? { type: 'json_object' } : { type: 'json_schema', json_schema: named };
    expect([answer.status, upstream.requests[0]!.body.response_format]).toEqual([200, expected]);
    expect(answer.body.toString()).toContain('May');
  });
});
