import { codesOfOperation, type ErrorCode } from '#generated/errors.ts';
import { suspendAccount } from '#server/domain/account/close-account.ts';
import { serverActor } from '#server/domain/audit/audit-entry.ts';
import { contract } from '#test/support/contract.ts';
import { operationsOf } from '../../../openapi/codegen/document.ts';
import type { Provocation } from './provocation.ts';
import { sendSample } from './sample.ts';

const operations = operationsOf(contract);

/** Provokes ACCOUNT_SUSPENDED for an operation that takes API keys. Others have provocations of their own. */
export function accountSuspended(operationId: string): Partial<Record<ErrorCode, Provocation>> {
  const operation = operations.find(({ id }) => id === operationId);
  const declared: readonly ErrorCode[] = operation
    ? codesOfOperation[operationId as keyof typeof codesOfOperation]
    : [];
  const code = declared.find((one) => one.toUpperCase() === 'ACCOUNT_SUSPENDED');
  if (!operation || !code) return {};
  const provoke: Provocation = async ({ server }) => {
    const { id: accountId, credential } = await server.account();
    await suspendAccount(server.running.app.stores, { accountId, by: serverActor });
    return sendSample(server, operation, credential);
  };
  return { [code]: provoke };
}
