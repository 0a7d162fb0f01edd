import { codesOfOperation, type ErrorCode } from '#generated/errors.ts';
import { bodyHolders } from '#server/http/body-memory.ts';
import { whileFull } from '#test/support/body-hold.ts';
import { contract } from '#test/support/contract.ts';
import { operationsOf } from '../../../openapi/codegen/document.ts';
import type { Provocation } from './provocation.ts';
import { sendSample } from './sample.ts';

const operations = operationsOf(contract);

/**
 * Provokes SERVER_OVERLOADED for an operation that takes fields: other bodies fill the memory. Operations that look for
 * something before their body have provocations of their own.
 */
export function serverOverloaded(operationId: string): Partial<Record<ErrorCode, Provocation>> {
  const operation = operations.find(({ id }) => id === operationId);
  const declared: readonly ErrorCode[] = operation
    ? codesOfOperation[operationId as keyof typeof codesOfOperation]
    : [];
  const code = declared.find((one) => one.toUpperCase() === 'SERVER_OVERLOADED');
  if (!operation || !code) return {};
  const provoke: Provocation = async ({ server, bodies }) => {
    const isOperators = operation.spec.security?.some((one: object) => 'operatorKey' in one);
    const credential = isOperators ? await server.operatorKey() : (await server.account()).credential;
    return whileFull(bodies, bodyHolders, () => sendSample(server, operation, credential));
  };
  return { [code]: provoke };
}

/** Provokes it for what `prepare` returns. */
export const whenFull =
  (prepare: (context: Parameters<Provocation>[0]) => Promise<() => ReturnType<Provocation>>): Provocation =>
  async (context) => {
    const send = await prepare(context);
    return whileFull(context.bodies, bodyHolders, send);
  };
