import { codesOfOperation, type ErrorCode } from '#generated/errors.ts';
import { contract } from '#test/support/contract.ts';
import { operationsOf } from '../../../openapi/codegen/document.ts';
import type { Provocation } from './provocation.ts';
import { sendSample } from './sample.ts';

const operations = operationsOf(contract);

/**
 * Provokes STORAGE_UNAVAILABLE for an operation with credentials: while its database cannot be read, no server can tell
 * who asks. Other operations have provocations of their own.
 */
export function storageUnavailable(operationId: string): Partial<Record<ErrorCode, Provocation>> {
  const operation = operations.find(({ id }) => id === operationId);
  const declared: readonly ErrorCode[] = operation
    ? codesOfOperation[operationId as keyof typeof codesOfOperation]
    : [];
  const code = declared.find((one) => one.toUpperCase() === 'STORAGE_UNAVAILABLE');
  if (!operation || !code) return {};
  const provoke: Provocation = async ({ server, faults }) => {
    const { credential } = await server.account();
    return faults.unavailable('apiKeys.findWithAccount', () => sendSample(server, operation, credential));
  };
  return { [code]: provoke };
}
