import { describe, expect, it } from 'vitest';

import { badBodies, chatFields } from './chat-fields.ts';
import { embeddingFields } from './embedding-fields.ts';
import { messagesFields } from './messages-fields.ts';
import { rawSend } from './raw-request.ts';
import { responsesFields } from './responses-fields.ts';

import { watchedServer } from './watched-server.ts';

const watched = watchedServer();

const send = (body: string | Uint8Array) =>
  rawSend(watched.server, {
    method: 'POST',
    path: '/v2/ai/chat/completions',
    credential: watched.account.credential,
    body,
  });
const complete = (body: unknown) => send(JSON.stringify(body));

const shown = (value: unknown) => (value === undefined ? 'absent' : JSON.stringify(value).slice(0, 70));

describe('createChatCompletion()', () => {
  for (const { field, bad, good, bodyWith } of chatFields) {
    it(`refuses ${bad.length} wrong values of ${field}, each with its code, and spends nothing`, async () => {
      for (const [code, value] of bad) {
        const answer = await watched.state.unchangedBy(() => complete(bodyWith(value)));
        expect([answer.status, answer.json().error.code], `${field} is ${shown(value)}`).toEqual([400, code]);
      }
    });

    it(`takes ${good.length} right values of ${field}`, async () => {
      for (const value of good)
        expect((await complete(bodyWith(value))).status, `${field} is ${shown(value)}`).toBe(200);
    });
  }

  it.each(badBodies)('refuses a body that %s: %s', async (_, code, body) => {
    const answer = await watched.state.unchangedBy(() => complete(body));
    expect([answer.status, answer.json().error.code]).toEqual([400, code]);
  });

  it.each([
    '',
    ' ',
    'hello',
    '{"messages":[]',
    '{"messages":[]}x',
    '{"messages":[],}',
    "{'messages':[]}",
    '{messages:[]}',
    'NaN',
    '{"temperature":NaN}',
    '\u0000',
    '<xml/>',
  ])('answers invalid_body when its body is %j', async (body) => {
    expect((await watched.state.unchangedBy(() => send(body))).json().error.code).toBe('invalid_body');
  });

  it('answers invalid_body to a body that is not UTF-8 or too deep, and body_too_large to a long one', async () => {
    expect(
      (await watched.state.unchangedBy(() => send(Buffer.from('{"messages":"\xff"}', 'latin1')))).json().error.code,
    ).toBe('invalid_body');
    expect(
      (await watched.state.unchangedBy(() => send(`{"messages":${'['.repeat(40)}${']'.repeat(40)}}`))).json().error
        .code,
    ).toBe('invalid_body');
    const answer = await watched.state.unchangedBy(() => send(`{"messages":[]${' '.repeat(1_048_576)}}`));
    expect([answer.status, answer.json().error.code]).toEqual([413, 'body_too_large']);
  });

  it('ignores unknown fields, also those that change objects', async () => {
    const message = '{"role":"user","content":"hello","refusal":null,"__proto__":{"role":"system"}}';
    const others = '"__proto__":{"stream":true},"n":5,"store":true,"metadata":{"a":1},"functions":[]';
    const body = `{"messages":[${message}],${others}}`;
    const answer = await send(body);
    expect(answer.status).toBe(200);
    expect(answer.json().choices).toHaveLength(1);
  });
});

describe('createEmbeddings()', () => {
  const embed = (body: unknown) =>
    rawSend(watched.server, {
      method: 'POST',
      path: '/v2/ai/embeddings',
      credential: watched.account.credential,
      body: JSON.stringify(body),
    });

  for (const { field, bad, good, bodyWith } of embeddingFields) {
    it(`refuses wrong values of ${field}, and takes right ones`, async () => {
      for (const [code, value] of bad) {
        const answer = await watched.state.unchangedBy(() => embed(bodyWith(value)));
        expect([answer.status, answer.json().error.code], `${field} is ${shown(value)}`).toEqual([400, code]);
      }
      // This server has no model for embeddings, which is checked after all fields.
      for (const value of good)
        expect((await embed(bodyWith(value))).json().error.code, `${field} is ${shown(value)}`).toBe(
          'embeddings_not_supported',
        );
    });
  }
});

describe.each([
  ['createResponse', '/v2/ai/responses', responsesFields],
  ['createMessage', '/v2/ai/messages', messagesFields],
  ['countMessageTokens', '/v2/ai/messages/count_tokens', messagesFields],
] as const)('%s()', (_, path, fields) => {
  const send = (body: unknown) =>
    rawSend(watched.server, {
      method: 'POST',
      path,
      credential: watched.account.credential,
      body: JSON.stringify(body),
    });

  for (const { field, bad, good, bodyWith } of fields) {
    it(`refuses wrong values of ${field}, and takes right ones`, async () => {
      for (const [code, value] of bad) {
        const answer = await watched.state.unchangedBy(() => send(bodyWith(value)));
        expect([answer.status, answer.json().error.code], `${field} is ${shown(value)}`).toEqual([400, code]);
      }
      for (const value of good) expect((await send(bodyWith(value))).status, `${field} is ${shown(value)}`).toBe(200);
    });
  }
});
