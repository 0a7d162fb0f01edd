import { beforeAll, describe, expect, it } from 'vitest';

import { askForKey, signedIn, type Approver } from '#test/support/activation.ts';
import type { TestAnswer } from '#test/support/server.ts';
import { deviceFields, noGrantTypes } from './device-fields.ts';
import { rawSend } from './raw-request.ts';

import { watchedServer } from './watched-server.ts';

const watched = watchedServer();

const good: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  '/v2/auth/device': { client_name: 'CLI', scopes: ['blob:read'] },
  '/v2/auth/device/token': { device_code: 'unknown' },
};

const formType = 'application/x-www-form-urlencoded';
const post = (path: string, body: string | Uint8Array, type = 'application/json') =>
  rawSend(watched.server, { method: 'POST', path, body, headers: { 'Content-Type': type } });

/** Fields with two names. When one is sent, the other is left out. */
const otherName: Readonly<Record<string, string>> = { client_id: 'client_name', scope: 'scopes' };

/** Returns the valid fields, without one field and its other name. */
function others(path: string, field: string): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(good[path]!).filter(([name]) => name !== field && name !== otherName[field]),
  );
}

const postJson = (path: string, field: string, value: unknown) =>
  post(path, JSON.stringify({ ...others(path, field), [field]: value }));

/** Returns the valid fields as a form, with one of them replaced, verbatim. */
function formOf(path: string, field: string, verbatim: string): string {
  const fields = Object.entries(others(path, field));
  return [...fields.map(([name, value]) => `${name}=${encodeURIComponent(String(value))}`), verbatim].join('&');
}

const isText = (value: unknown): value is string => typeof value === 'string' && value.isWellFormed();

describe.each(deviceFields)('$path with $field', ({ path, field, code, bad, good: fine }) => {
  it.each(bad)(`answers ${code} and keeps nothing when it %s`, async (_, value) => {
    const answer = await watched.state.unchangedBy(() => postJson(path, field, value));
    expect([answer.status, answer.json().error]).toEqual([400, code]);
  });

  it(`answers ${code} and keeps nothing when a form has a wrong value`, async () => {
    const [, value] = bad.find(([, one]) => isText(one))!;
    const answer = await watched.state.unchangedBy(() =>
      post(path, formOf(path, field, `${field}=${encodeURIComponent(value as string)}`), formType),
    );
    expect(answer.json().error).toBe(code);
  });

  it.each(fine)('accepts it when it %s, as JSON and as a form', async (_, one) => {
    const outcomes = [await postJson(path, field, one)];
    if (isText(one))
      outcomes.push(await post(path, formOf(path, field, `${field}=${encodeURIComponent(one)}`), formType));
    for (const answer of outcomes)
      expect(path.endsWith('token') ? answer.json().error : answer.status).toBe(
        path.endsWith('token') ? 'invalid_grant' : 200,
      );
  });
});

describe('the forms of device approval', () => {
  const refused = async (path: string, field: string, verbatim: string) => {
    const form = formOf(path, field, verbatim);
    const answer = await watched.state.unchangedBy(() => post(path, form, `${formType}; charset=UTF-8`));
    return answer.json().error;
  };

  it.each([
    ['twice, once under an encoded name', 'scopes=ai:chat&%73copes=ai:chat'],
    ['twice, once empty', 'scopes=ai:chat&scopes='],
    ['as an invalid UTF-8 byte', 'scopes=%ff'],
    ['as a NUL', 'scopes=%00'],
    ['with a NUL', 'scopes=ai:chat%00'],
    ['with broken percent-encoding', 'scopes=ai:chat%zz'],
    ['within a percent-encoding', 'scopes=ai:chat%4'],
  ])('are refused, and nothing is kept, when a field is given %s', async (_, verbatim) => {
    expect(await refused('/v2/auth/device', 'scopes', verbatim)).toBe('invalid_scope');
  });

  // RFC 6749, section 3.2: "Request and response parameters MUST NOT be included more than once."
  it.each([
    ['client_name', '/v2/auth/device', 'invalid_request'],
    ['client_id', '/v2/auth/device', 'invalid_request'],
    ['scopes', '/v2/auth/device', 'invalid_scope'],
    ['scope', '/v2/auth/device', 'invalid_scope'],
    ['device_code', '/v2/auth/device/token', 'invalid_request'],
    ['grant_type', '/v2/auth/device/token', 'invalid_request'],
  ])('are refused, and nothing is kept, when %s is given twice', async (field, path, code) => {
    expect(await refused(path, field, `${field}=ai:chat&${field}=ai:chat`)).toBe(code);
  });
});

describe('device approval', () => {
  it.each(noGrantTypes)('answers invalid_request when grant_type %s', async (_, value) => {
    expect(
      (await watched.state.unchangedBy(() => postJson('/v2/auth/device/token', 'grant_type', value))).json().error,
    ).toBe('invalid_request');
  });

  it.each(['/v2/auth/device', '/v2/auth/device/token'])(
    'answers invalid_request when the body for %s is not a form',
    async (path) => {
      for (const body of ['', '&&&', 'CLI', new Uint8Array([0xff, 0x3d]), Array(101).fill('a=b').join('&')]) {
        expect((await watched.state.unchangedBy(() => post(path, body, formType))).json().error).toBe(
          'invalid_request',
        );
      }
      expect((await post(path, `a=${'x'.repeat(1_048_576)}`, formType)).json().error).toBe('body_too_large');
    },
  );

  it('ignores unknown fields', async () => {
    expect(
      (
        await post(
          '/v2/auth/device',
          JSON.stringify({ ...good['/v2/auth/device'], user_code: 'BBBB-BBBB', state: 'approved', __proto__: 1 }),
        )
      ).status,
    ).toBe(200);
    expect(
      (await post('/v2/auth/device', 'client_name=CLI&scopes=blob%3Aread&x=1&x=2&%00=%ff&__proto__=1', formType))
        .status,
    ).toBe(200);
  });
});

describe('the forms of the approval page', () => {
  let person: Approver;
  let code: string;
  beforeAll(async () => {
    const { credential } = await watched.server.account();
    ({ user_code: code } = await askForKey(watched.server));
    person = await signedIn(watched.server, credential);
  });

  const send = (body: string | Uint8Array, type = formType): Promise<TestAnswer> =>
    rawSend(watched.server, {
      method: 'POST',
      path: '/activate',
      body,
      headers: { 'Content-Type': type, Cookie: [...person.cookies].map((pair) => pair.join('=')).join('; ') },
    });

  const token = () => `form_token=${person.formToken}`;
  const cases: ReadonlyArray<readonly [what: string, expected: string, body: () => string]> = [
    ['lacks its action', 'INVALID_BODY', () => `${token()}&user_code=${code}`],
    ['has an empty action', 'INVALID_BODY', () => `${token()}&action=&user_code=${code}`],
    ['has an unknown action', 'INVALID_BODY', () => `${token()}&action=Approve&user_code=${code}`],
    ['has an action of every object', 'INVALID_BODY', () => `${token()}&action=constructor`],
    ['has two actions', 'INVALID_BODY', () => `${token()}&action=approve&action=refuse&user_code=${code}`],
    ['has an action with a NUL', 'INVALID_BODY', () => `${token()}&action=look_up%00&user_code=${code}`],
    ['lacks its token', 'INVALID_FORM_TOKEN', () => `action=look_up&user_code=${code}`],
    ['has an empty token', 'INVALID_FORM_TOKEN', () => `form_token=&action=look_up&user_code=${code}`],
    ['has its token twice', 'INVALID_FORM_TOKEN', () => `${token()}&${token()}&action=look_up&user_code=${code}`],
    ['has a longer token', 'INVALID_FORM_TOKEN', () => `${token()}A&action=look_up&user_code=${code}`],
    ['has a shorter token', 'INVALID_FORM_TOKEN', () => `${token().slice(0, -1)}&action=look_up&user_code=${code}`],
    ['has another token', 'INVALID_FORM_TOKEN', () => `form_token=${'A'.repeat(43)}&action=look_up&user_code=${code}`],
    [
      'has an overlong token',
      'INVALID_FORM_TOKEN',
      () => `form_token=${'A'.repeat(3_000)}&action=look_up&user_code=${code}`,
    ],
    ['has a token of broken encoding', 'INVALID_FORM_TOKEN', () => `form_token=%zz&action=look_up&user_code=${code}`],
    ['has its code twice', 'INVALID_USER_CODE', () => `${token()}&action=look_up&user_code=${code}&user_code=${code}`],
    ['has an overlong code', 'INVALID_USER_CODE', () => `${token()}&action=look_up&user_code=${'B'.repeat(33)}`],
    ['has a code of broken encoding', 'INVALID_USER_CODE', () => `${token()}&action=look_up&user_code=%ff`],
    ['has a code with a NUL', 'INVALID_USER_CODE', () => `${token()}&action=look_up&user_code=${code}%00`],
    ['has two API keys', 'ACCESS_DENIED', () => `${token()}&action=sign_in&api_key=cbk_a&api_key=cbk_b`],
    ['has an overlong API key', 'ACCESS_DENIED', () => `${token()}&action=sign_in&api_key=${'a'.repeat(257)}`],
    ['has an API key with a NUL', 'ACCESS_DENIED', () => `${token()}&action=sign_in&api_key=cbk_%00`],
    [
      'approves with the token of another step',
      'INVALID_FORM_TOKEN',
      () => `${token()}&action=approve&user_code=${code}`,
    ],
  ];
  it.each(cases)('respond to a form that %s with %s, and change nothing', async (_, expected, body) => {
    const answer = await watched.state.unchangedBy(() => send(body()));
    expect(answer.json().code).toBe(expected);
  });

  it('respond INVALID_BODY to a body that is not a form', async () => {
    const fields = `${token()}&action=look_up&user_code=${code}`;
    for (const [body, type] of [
      [fields, 'text/plain'],
      [fields, 'multipart/form-data; boundary=x'],
      [JSON.stringify({ action: 'look_up', user_code: code }), 'application/json'],
      ['', formType],
      [new Uint8Array([0xff]), formType],
    ] as const) {
      expect((await watched.state.unchangedBy(() => send(body, type))).json().code).toBe('INVALID_BODY');
    }
  });

  it('accept the valid one', async () => {
    expect((await send(`${token()}&action=look_up&user_code=${code.toLowerCase()}&unknown=1&unknown=2`)).status).toBe(
      200,
    );
  });

  it.each([
    ['forged', 'x'.repeat(40)],
    ['without its signature', ''],
    ['of another server', `${'a'.repeat(40)}.${'A'.repeat(43)}`],
  ])('respond ACCESS_DENIED to a cookie that is %s', async (_, value) => {
    const answer = await rawSend(watched.server, {
      method: 'POST',
      path: '/activate',
      body: `${token()}&action=sign_out`,
      headers: { 'Content-Type': formType, Cookie: `cubby_session=${value}` },
    });
    expect(answer.json().code).toBe('ACCESS_DENIED');
  });
});
