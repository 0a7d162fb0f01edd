import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { policies, type OperationId } from '#generated/policies.ts';
import type { OperationPolicy } from '#server/pipeline/operation-policy.ts';
import { meaningOf } from '#server/pipeline/error-response.ts';
import { startTestServer, type TestAccount, type TestAnswer, type TestServer } from '#test/support/server.ts';

let server: TestServer;
let account: TestAccount;
let operatorKey: string;
beforeAll(async () => {
  server = await startTestServer();
  account = await server.account();
  operatorKey = await server.operatorKey();
});
afterAll(() => server.stop());

const operations = (Object.entries(policies) as Array<[OperationId, OperationPolicy]>).filter(
  ([, { door }]) => door !== 'public',
);
const parameters = operations.flatMap(([operationId, policy]) =>
  Object.keys(policy.pathFields).map((name) => [operationId, name, policy] as const),
);

/** Sends the smallest request of the operation, with the value in place of the path parameter. */
function send(
  policy: OperationPolicy,
  name: string,
  value: string,
  credential: string | undefined = policy.door === 'operator' ? operatorKey : account.credential,
) {
  const path = policy.path.replace(`{${name}}`, value).replace(/\{[^}]+\}/g, 'x');
  const isForm = policy.bodyTypes[0] === 'application/x-www-form-urlencoded';
  return server.send(path, {
    method: policy.method.toUpperCase(),
    door: policy.door as 'api',
    ...(policy.credentials.length > 0 && { credential }),
    ...(policy.bodyTypes.length > 0 && {
      body: isForm ? 'password=x' : '{}',
      headers: { 'Content-Type': policy.bodyTypes[0]! },
    }),
  });
}

/** Returns the code of an error in the envelope, or in the form of chat clients. */
function codeOf(answer: TestAnswer): string {
  const { code, error } = answer.json();
  return code ?? error.code;
}

it('the contract has path parameters to test', () => {
  expect(parameters.length).toBeGreaterThanOrEqual(8);
});

describe.each(parameters)('%s with broken percent-encoding in its path', (_operationId, name, policy) => {
  const expected = policy.pathFields[name]!.codes!.default;

  it.each(['%ff', '%', 'a%', '%c3%28', 'x%ffy', '%zz', '%00'])(
    `gets the same error as any other malformed ${name}: %s`,
    async (value) => {
      const answer = await send(policy, name, value);
      const { errorShape } = policy;
      if (errorShape === 'text' || errorShape === 'git')
        expect(answer.body.toString()).toContain(meaningOf(errorShape, expected).message);
      else expect(codeOf(answer)).toBe(expected);
    },
  );

  it('is refused for an unknown credential first', async () => {
    if (policy.credentials.length === 0) return;
    expect(codeOf(await send(policy, name, '%ff', 'cbk_unknown')).toUpperCase()).toBe('ACCESS_DENIED');
  });
});

it.each(['/v1/%ff', '/%ff', '/v1/account/keys/%ff/more', '/docs/%ff', '/v1/objects%ff', '/v1/%ff?x=%ff'])(
  '%s, which is not a path of the API, gets NOT_FOUND',
  async (path) => {
    expect((await server.send(path)).json().code).toBe('NOT_FOUND');
  },
);

it.each(['/%ff', '/d/%ff/more', '/d/', '/x/%ff'])('%s, which is not a path of links, gets NOT_FOUND', async (path) => {
  expect((await server.send(path, { door: 'files' })).json().code).toBe('NOT_FOUND');
});

it('a method that the path does not have gets METHOD_NOT_ALLOWED, also with broken percent-encoding', async () => {
  expect((await server.send('/d/%ff', { door: 'files', method: 'POST' })).json().code).toBe('METHOD_NOT_ALLOWED');
});
