import { codesOfOperation, type ErrorCode } from '#generated/errors.ts';
import { contract } from '#test/support/contract.ts';
import { tokenOf } from '#test/support/upload-tokens.ts';
import { operationsOf } from '../../../openapi/codegen/document.ts';
import type { Provocation } from './provocation.ts';
import { sendSample } from './sample.ts';

const operations = operationsOf(contract);

/**
 * Provokes UPLOAD_TOKEN_NOT_ALLOWED for an operation that declares it, in the words of its protocol. All operations are
 * provoked in the same way.
 */
export function uploadTokenNotAllowed(operationId: string): Partial<Record<ErrorCode, Provocation>> {
  const operation = operations.find(({ id }) => id === operationId);
  const declared: readonly ErrorCode[] = operation
    ? codesOfOperation[operationId as keyof typeof codesOfOperation]
    : [];
  const code = declared.find((one) => one.toUpperCase() === 'UPLOAD_TOKEN_NOT_ALLOWED');
  if (!operation || !code) return {};
  const provoke: Provocation = async ({ server }) =>
    sendSample(server, operation, await tokenOf(server, await server.account()));
  return { [code]: provoke };
}
