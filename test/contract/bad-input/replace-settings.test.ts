import { beforeAll, describe, expect, it } from 'vitest';

import type { ErrorCode } from '#generated/errors.ts';
import { rawSend } from './raw-request.ts';
import { badLists } from './rule-fields.ts';

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

/** A rule with the value in its field, behind a valid one, so that the error has to name the rule. */
const listWith = (field: string, value: unknown) => ({
  rules: [{ prefix: 'good' }, { prefix: 'invoices', [field]: value }],
});

describe('replaceSettings()', () => {
  const wrongValues: ReadonlyArray<readonly [field: string, code: ErrorCode, value: unknown]> = [
    ['private', 'INVALID_RULE_PRIVATE', 'yes'],
    ['expire', 'INVALID_RULE_EXPIRE', '1826d'],
    ['max_size', 'INVALID_RULE_MAX_SIZE', 511],
    ['extensions', 'INVALID_RULE_EXTENSIONS', ['pdf', '.gif']],
    ['cache_control', 'INVALID_RULE_CACHE_CONTROL', 'no-store'],
    ['delete_after_days', 'INVALID_RULE_DELETE_AFTER', 3651],
    ['keep_deleted_days', 'INVALID_RULE_KEEP_DELETED', 0],
    ['keep_versions', 'INVALID_RULE_KEEP_VERSIONS', 1001],
    ['keep_versions', 'INVALID_RULE_KEEP_VERSIONS', 1],
  ];

  it.each(wrongValues)('names the rule whose %s is wrong, and changes nothing: %s', async (field, code, value) => {
    const answer = await watched.state.unchangedBy(() => replaceBy(listWith(field, value)));
    expect(answer.json()).toEqual({ status: 'error', code, message: expect.any(String), prefix: 'invoices/' });
  });

  it.each<[unknown, string | undefined]>([
    ['a//b', 'a//b'],
    ['x'.repeat(1024), 'x'.repeat(1024)],
    ['x'.repeat(1025), undefined],
    [7, undefined],
    [null, undefined],
  ])('repeats a wrong prefix that is a text and short enough: %s', async (prefix, named) => {
    const answer = await watched.state.unchangedBy(() => replaceBy(listWith('prefix', prefix)));
    expect(answer.json()).toEqual({
      status: 'error',
      code: 'INVALID_RULE_PREFIX',
      message: expect.any(String),
      ...(named !== undefined && { prefix: named }),
    });
  });

  it.each(badLists)('changes nothing when its body %s: %s', async (_, code, body) => {
    const answer = await watched.state.unchangedBy(() => replaceBy(body));
    expect(answer.json().code).toBe(code);
  });

  it('accepts a prefix of 256 characters, but not of 257', async () => {
    const longest = [...Array(3).fill('a'.repeat(64)), 'a'.repeat(61)].join('/');
    expect((await replaceBy({ rules: [{ prefix: `${longest}/` }] })).json().response.rules[0].prefix).toBe(
      `${longest}/`,
    );
    expect((await replaceBy({ rules: [{ prefix: `${longest}a` }] })).json().code).toBe('INVALID_RULE_PREFIX');
  });

  it('ignores the fields that only responses have', async () => {
    const rule = {
      prefix: 'a',
      created_at: '2020-01-01T00:00:00.000Z',
      active_from: 'never',
      __proto__: { private: true },
    };
    const answer = await replaceBy({ rules: [rule] });
    expect(answer.json().response.rules).toEqual([
      { prefix: 'a/', created_at: new Date(watched.server.clock.now()).toISOString() },
    ]);
  });

  it('rejects a rule with another field, with its prefix, and changes nothing', async () => {
    const answer = await watched.state.unchangedBy(() => replaceBy({ rules: [{ prefix: 'a', Private: true }] }));
    expect(answer.json()).toMatchObject({
      code: 'INVALID_RULES',
      prefix: 'a/',
      message: '`rules[0].Private` is not a known field. The nearest one is `private`.',
    });
  });
});
