import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

import { operations as fixtures } from 'cubby-server/fixtures';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { codesOfOperation, retries, type ErrorCode } from '#generated/errors.ts';
import { policies, type OperationId } from '#generated/policies.ts';
import { startMock, type Mock } from '#mocks/mock.ts';
import { startControlledSandbox, type ControlledSandbox } from '#mocks/sandbox/controlled.ts';
import { sampleRequest } from '#openapi/build/sample-request.ts';
import { operationsOf, type Json } from '#openapi/codegen/document.ts';
import { Refusal } from '#server/domain/refusal.ts';
import { meaningOf } from '#server/pipeline/error-response.ts';
import { comparedHeaders } from './compared-headers.ts';
import { initOf } from './sample-init.ts';

const document: Json = JSON.parse(await readFile(join(import.meta.dirname, '../../generated/openapi.json'), 'utf8'));
const operations = new Map(operationsOf(document).map((operation) => [operation.id, operation]));

interface Case {
  readonly id: OperationId;
  readonly code: ErrorCode;
}

/** The statuses at which codes differ: some say when to try again, others do not. */
const mixedStatuses = new Set([429, 503]);

/** Every code of these statuses, once for each form of errors that has it. */
const cases: readonly Case[] = [
  ...new Map(
    (Object.entries(codesOfOperation) as Array<[OperationId, readonly ErrorCode[]]>).flatMap(([id, codes]) =>
      codes.flatMap((code): Array<[string, Case]> => {
        const { errorShape } = policies[id];
        const isMixed = mixedStatuses.has(meaningOf(errorShape, code).status);
        return isMixed || code in retries ? [[`${errorShape} ${code}`, { id, code }]] : [];
      }),
    ),
  ).values(),
];

type Headers = Readonly<Record<'retry-after' | 'x-should-retry', string | null>>;

function expectedFor(code: ErrorCode): Headers {
  const { retryAfterSeconds, shouldRetry } = new Refusal(code);
  return {
    'retry-after': retryAfterSeconds === undefined ? null : String(retryAfterSeconds),
    'x-should-retry': shouldRetry === false ? 'false' : null,
  };
}

const sentIn = (headers: { get(name: string): string | null }): Headers => ({
  'retry-after': headers.get('retry-after'),
  'x-should-retry': headers.get('x-should-retry'),
});

let mock: Mock;
let sandbox: ControlledSandbox;
beforeAll(async () => {
  [mock, sandbox] = await Promise.all([startMock({ port: 0 }), startControlledSandbox()]);
});
afterAll(() => Promise.all([mock.close(), sandbox.stop()]));

/** Sends the operation's sample without its body. A planned or preferred error needs none. */
async function ask(url: string, { id }: Case, headers: Readonly<Record<string, string>>): Promise<Response> {
  const { method, target } = sampleRequest(document, operations.get(id)!, ['name']);
  const response = await fetch(url + target, { method, redirect: 'manual', headers });
  await response.bytes();
  return response;
}

describe('Retry-After and X-Should-Retry follow from the code, and not from its status', () => {
  it('covers codes of one status with them and without them', () => {
    const of = (wanted: number) =>
      cases
        .filter(({ id, code }) => meaningOf(policies[id].errorShape, code).status === wanted)
        .map(({ code }) => JSON.stringify(expectedFor(code)['retry-after'] !== null));
    expect(new Set(of(503))).toEqual(new Set(['true', 'false']));
    // "Every 429 has `Retry-After`", in the description of the contract.
    expect(new Set(of(429))).toEqual(new Set(['true']));
    expect(cases.some(({ code }) => expectedFor(code)['x-should-retry'] === 'false')).toBe(true);
  });

  it.each(cases)('$code of $id at the sandbox', async (one) => {
    const { id, code } = one;
    sandbox.failures.add({ operation: id, times: 1, code });
    const response = await ask(sandbox.urls[operations.get(id)!.door as 'api'], one, {});
    const { status } = meaningOf(policies[id].errorShape, code);
    expect({ status: response.status, ...sentIn(response.headers) }).toEqual({ status, ...expectedFor(code) });
  });

  it.each(cases)('$code of $id at the mock and in the fixtures', async (one) => {
    const { id, code } = one;
    const shown = fixtures[id as keyof typeof fixtures].responses as unknown as Readonly<
      Record<string, { readonly headers: Readonly<Record<string, string>> }>
    >;
    expect(sentIn(new Headers(shown[code]!.headers)), 'fixture').toEqual(expectedFor(code));
    // The mock serves public files with the server's own code, so they have no preferences.
    if (operations.get(id)!.door === 'public') return;
    const sample = sampleRequest(document, operations.get(id)!, ['name']);
    const init = initOf(sample);
    const headers = { ...(init.headers as Record<string, string>), Prefer: `code=${code}` };
    const response = await fetch(mock.url + sample.target, { redirect: 'manual', ...init, headers });
    const text = await response.text();
    expect({ text, ...sentIn(response.headers) }).toEqual({ text, ...expectedFor(code) });
  });
});

/** A refusal of each door, and of each form of errors. */
const refusals: ReadonlyArray<{
  readonly id: OperationId;
  readonly code: ErrorCode;
  readonly door: 'api' | 'files' | 'public' | 'operator';
  readonly path: string;
  readonly init?: RequestInit;
}> = [
  { id: 'listObjects', code: 'ACCESS_DENIED', door: 'api', path: '/v1/objects' },
  { id: 'uploadObject', code: 'ACCESS_DENIED', door: 'api', path: '/v1/objects?name=x', init: { method: 'POST' } },
  { id: 'createMessage', code: 'access_denied', door: 'api', path: '/v2/ai/messages', init: { method: 'POST' } },
  { id: 'listModels', code: 'access_denied', door: 'api', path: '/v2/ai/models' },
  {
    id: 'pollDeviceToken',
    code: 'invalid_request',
    door: 'api',
    path: '/v2/auth/device/token',
    init: { method: 'POST' },
  },
  { id: 'openDownloadLink', code: 'LINK_NOT_FOUND', door: 'files', path: '/d/x' },
  { id: 'openShare', code: 'SHARE_NOT_FOUND', door: 'files', path: '/s/x' },
  { id: 'openShare', code: 'SHARE_NOT_FOUND', door: 'files', path: '/s/x', init: { headers: { Accept: 'text/html' } } },
  { id: 'getPublicFile', code: 'FILE_NOT_FOUND', door: 'public', path: '/100000000000000004/x' },
  { id: 'listAccounts', code: 'ACCESS_DENIED', door: 'operator', path: '/v2/operator/accounts' },
];

it.each(refusals)(
  'a planned $code of $id has the headers of the server itself',
  async ({ id, code, door, path, init = {} }) => {
    const asked = async () => {
      const response = await fetch(sandbox.urls[door] + path, {
        ...init,
        headers: { Origin: 'https://app.cubby.invalid', ...init.headers },
      });
      await response.bytes();
      const headers = comparedHeaders(Object.fromEntries(response.headers), (text) => text);
      return { status: response.status, headers };
    };
    const real = await asked();
    expect(real.headers.link).toContain(code.toUpperCase());
    sandbox.failures.add({ operation: id, times: 1, code });
    expect(await asked()).toEqual(real);
  },
);
