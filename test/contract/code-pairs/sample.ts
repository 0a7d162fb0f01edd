import { contract } from '#test/support/contract.ts';
import { formWith, someBytes } from '#test/support/files.ts';
import type { TestAnswer, TestRequest, TestServer } from '#test/support/server.ts';
import { sampleRequest } from '../../../openapi/build/sample-request.ts';
import type { Operation } from '../../../openapi/codegen/document.ts';

/** Sends the contract's own sample of an operation, with the credential if it takes one. */
export async function sendSample(
  server: TestServer,
  operation: Operation,
  credential: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<TestAnswer> {
  const { isAuthenticated } = sampleRequest(contract, operation);
  return sendSampleWith(server, operation, { ...headers, ...(isAuthenticated && { Authorization: credential }) });
}

/** Sends the contract's own sample of an operation, with these headers besides its own. */
export async function sendSampleWith(
  server: TestServer,
  operation: Operation,
  headers: Readonly<Record<string, string>>,
): Promise<TestAnswer> {
  const sample = sampleRequest(contract, operation);
  return server.send(sample.target, {
    method: sample.method,
    door: operation.door as NonNullable<TestRequest['door']>,
    headers: {
      ...sample.headers,
      ...(sample.body && sample.body.type !== 'multipart/form-data' && { 'Content-Type': sample.body.type }),
      ...headers,
    },
    ...(sample.body && { body: payloadOf(sample.body) }),
  });
}

function payloadOf({
  type,
  value,
}: {
  readonly type: string;
  readonly value: unknown;
}): NonNullable<TestRequest['body']> {
  if (type === 'multipart/form-data') return formWith(someBytes());
  if (type === 'application/x-www-form-urlencoded') return new URLSearchParams(value as Record<string, string>);
  return value === 'file' ? new Blob([new Uint8Array(3000)]) : JSON.stringify(value);
}
