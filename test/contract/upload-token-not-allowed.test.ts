import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { policies, type OperationId } from '#generated/policies.ts';
import { newCredential } from '#server/domain/access/credential.ts';
import { randomIds } from '#server/stores/system/ids.ts';
import { contract } from '#test/support/contract.ts';
import { startTestServer, type TestAnswer, type TestServer } from '#test/support/server.ts';
import { tokenOf, uploadWith } from '#test/support/upload-tokens.ts';
import { operationsOf, type Operation } from '../../openapi/codegen/document.ts';
import { sendSample } from './code-pairs/sample.ts';

let server: TestServer;
let valid: string;
let used: string;
let expired: string;
beforeAll(async () => {
  server = await startTestServer();
  const account = await server.account();
  expired = await tokenOf(server, account, { expires_in: 60 });
  server.clock.advance(60_000);
  valid = await tokenOf(server, account);
  used = await tokenOf(server, account);
  expect((await uploadWith(server, used)).status).toBe(200);
});
afterAll(() => server.stop());

/** Includes operations that are not implemented yet, because access is checked first. */
const closed = operationsOf(contract).filter(({ id }) => {
  const { credentials, uploadToken } = policies[id as OperationId];
  // The operator's door does not know upload tokens. It rejects them like any unknown credential.
  return credentials.length > 0 && uploadToken === null && !credentials.includes('operatorKey');
});

/** The code in the form of the operation's protocol, compared without case. */
function codeOf(answer: TestAnswer): string {
  const body = answer.json();
  return (body.code ?? body.error.code).toUpperCase();
}

const ask = async (operation: Operation, credential: string) => {
  const answer = await sendSample(server, operation, credential);
  return [answer.status, codeOf(answer)];
};

describe('an upload token', () => {
  it('is tested with every operation that accepts only API keys', () => {
    expect(closed.length).toBeGreaterThanOrEqual(25);
  });

  it.each(closed.map((operation) => [operation.id, operation] as const))(
    'answers UPLOAD_TOKEN_NOT_ALLOWED on %s while it is valid, used up or not, and otherwise ACCESS_DENIED',
    async (_, operation) => {
      expect(await ask(operation, valid)).toEqual([403, 'UPLOAD_TOKEN_NOT_ALLOWED']);
      expect(await ask(operation, `Bearer ${used}`)).toEqual([403, 'UPLOAD_TOKEN_NOT_ALLOWED']);
      for (const wrong of [expired, newCredential('uploadToken', randomIds), `${valid}x`])
        expect(await ask(operation, wrong)).toEqual([401, 'ACCESS_DENIED']);
    },
  );
});
