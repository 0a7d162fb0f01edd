import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { codesOfOperation } from '#generated/errors.ts';
import { policies, type OperationId } from '#generated/policies.ts';
import { contract } from '#test/support/contract.ts';
import { startTestServer, type TestAccount, type TestAnswer, type TestServer } from '#test/support/server.ts';
import { operationsOf, resolve, type Json, type Operation } from '../../../openapi/codegen/document.ts';
import { sendSample } from './sample.ts';

let server: TestServer;
let account: TestAccount;
beforeAll(async () => {
  server = await startTestServer();
  account = await server.account();
});
afterAll(() => server.stop());

const unimplemented = operationsOf(contract).filter(({ id }) =>
  codesOfOperation[id as OperationId].some((code) => code.toUpperCase() === 'NOT_IMPLEMENTED'),
);

/** Sends the contract's own sample of the operation, with the account's key. */
function ask(operation: Operation, headers: Readonly<Record<string, string>> = {}): Promise<TestAnswer> {
  return sendSample(server, operation, account.credential, headers);
}

/** What the contract shows as the operation's 501 in this media type. */
function exampleOf(operation: Operation, type: string): unknown {
  const { content } = resolve(contract, operation.spec.responses[501]);
  return resolve(contract, Object.values<Json>(content[type].examples)[0]!).value;
}

async function expectShown501(operation: Operation): Promise<void> {
  const answer = await ask(operation);
  expect(answer.status, answer.body.toString()).toBe(501);
  const type = essence(answer);
  const shown = exampleOf(operation, type);
  if (type === 'application/json') expect(answer.json()).toEqual(shown);
  else expect(answer.body.toString().trimEnd()).toBe(String(shown).trimEnd());
}

const essence = ({ headers }: TestAnswer) => headers.get('content-type')!.split(';')[0]!;

/** Its replies, which begin with their code and end with "Nothing was deployed.", come with the git webhook. */
const wordedLater = (operation: Operation) => operation.id === 'receiveGitPush';

describe('an operation that is not there yet', () => {
  for (const operation of unimplemented) {
    const test = wordedLater(operation) ? it.fails : it;
    const note = wordedLater(operation) ? ' (not yet: its words come with the git webhook)' : '';
    test(`${operation.id} answers a valid request with the 501 that its contract shows${note}`, () => expectShown501(operation));
  }

  it.each(unimplemented.filter(wordedLater))('$id answers 501 already, in other words', async (operation) => {
    expect((await ask(operation)).status).toBe(501);
  });

  const pages = unimplemented.filter(({ id }) => policies[id as OperationId].errorShape === 'page');
  it.each(pages.map((operation) => [operation.id, operation] as const))('%s answers those who ask for HTML with a page', async (_, operation) => {
    const answer = await ask(operation, { Accept: 'text/html,application/xhtml+xml,*/*;q=0.8' });
    expect([answer.status, essence(answer)]).toEqual([501, 'text/html']);
    expect(answer.body.toString()).toContain('this version of the server does not have it yet');
    expect(answer.headers.get('content-security-policy')).toContain("default-src 'none'");
  });
});
