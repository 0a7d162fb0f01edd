import { beforeAll, describe, expect, it } from 'vitest';

import { rawSend } from './raw-request.ts';
import { badLists, ruleFields } from './rule-fields.ts';

import { watchedServer } from './watched-server.ts';

const watched = watchedServer();
beforeAll(async () => {
  expect((await replaceBy({ rules: [{ prefix: 'kept', delete_after_days: 30 }] })).status).toBe(200);
});

function replace(body: string | Uint8Array) {
  return rawSend(watched.server, {
    method: 'PUT',
    path: '/v1/account/settings',
    credential: watched.account.credential,
    body,
  });
}

const replaceBy = (body: unknown) => replace(JSON.stringify(body));

const shown = (value: unknown) => JSON.stringify(value)?.slice(0, 60);

/** A rule with the value in its field; behind a good one, so that the error has to say which it means. */
const listWith = (field: string, value: unknown) => ({
  rules: [{ prefix: 'good' }, { prefix: 'invoices', [field]: value }],
});

describe('replaceSettings()', () => {
  for (const { field, code, bad } of ruleFields) {
    it.each(bad.map((value) => [shown(value), value] as const))(
      `answers ${code}, names the rule and changes nothing when ${field} is %s`,
      async (_, value) => {
        const answer = await watched.state.unchangedBy(() => replaceBy(listWith(field, value)));
        const prefix =
          field === 'prefix' ? (typeof value === 'string' && value.length <= 1024 ? value : undefined) : 'invoices/';
        expect(answer.json()).toEqual({
          status: 'error',
          code,
          message: expect.any(String),
          ...(prefix !== undefined && { prefix }),
        });
      },
    );
  }

  it.each(badLists)('changes nothing when its body %s: %s', async (_, code, body) => {
    const answer = await watched.state.unchangedBy(() => replaceBy(body));
    expect(answer.json().code).toBe(code);
  });

  it.each([
    '',
    ' ',
    'rules',
    '{"rules":[]',
    '{"rules":[]}x',
    '{"rules":[],}',
    "{'rules':[]}",
    '{rules:[]}',
    'NaN',
    '{"rules":[NaN]}',
    `{"rules":[{"prefix":"a","max_size":512,}]}`,
  ])('answers INVALID_BODY and changes nothing when its body is %j', async (body) => {
    const answer = await watched.state.unchangedBy(() => replace(body));
    expect(answer.json().code).toBe('INVALID_BODY');
  });

  it('answers INVALID_BODY and changes nothing when its body is too deep, and BODY_TOO_LARGE when it is too long', async () => {
    const deep = `{"rules":[],"more":${'['.repeat(40)}${']'.repeat(40)}}`;
    expect((await watched.state.unchangedBy(() => replace(deep))).json().code).toBe('INVALID_BODY');
    const long = `{"rules":[]${' '.repeat(1_048_576)}}`;
    expect((await watched.state.unchangedBy(() => replace(long))).json().code).toBe('BODY_TOO_LARGE');
  });

  for (const { field, good } of ruleFields) {
    it.each(good.map((value) => [shown(value), value] as const))(`takes %s as ${field}`, async (_, value) => {
      const answer = await replaceBy(listWith(field, value));
      expect(answer.json()).toMatchObject({ status: 'success' });
    });
  }

  it('takes the prefix of 256 characters, and none of 257', async () => {
    const longest = [...Array(3).fill('a'.repeat(64)), 'a'.repeat(61)].join('/');
    expect((await replaceBy({ rules: [{ prefix: `${longest}/` }] })).json().response.rules[0].prefix).toBe(
      `${longest}/`,
    );
    expect((await replaceBy({ rules: [{ prefix: `${longest}a` }] })).json().code).toBe('INVALID_RULE_PREFIX');
  });

  it('ignores fields that nobody knows, and those that only answers have', async () => {
    const rule = {
      prefix: 'a',
      created_at: '2020-01-01T00:00:00.000Z',
      active_from: 'never',
      Private: 'x',
      __proto__: { private: true },
    };
    const answer = await replaceBy({ rules: [rule], more: {} });
    expect(answer.json().response.rules).toEqual([
      { prefix: 'a/', created_at: new Date(watched.server.clock.now()).toISOString() },
    ]);
  });
});
