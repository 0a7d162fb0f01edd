import { codesOfOperation, type ErrorCode } from '#generated/errors.ts';
import { contract } from '#test/support/contract.ts';
import { signedIn, signedInOperator } from '#test/support/sessions.ts';
import { operationsOf } from '../../../openapi/codegen/document.ts';
import type { Provocation } from './provocation.ts';
import { sendSampleWith } from './sample.ts';

const operations = operationsOf(contract);

/**
 * Provokes CSRF_TOKEN_INVALID for an operation that takes the session of a browser: the request comes from another
 * page. Sign-ins have provocations of their own.
 */
export function csrfTokenInvalid(operationId: string): Partial<Record<ErrorCode, Provocation>> {
  const operation = operations.find(({ id }) => id === operationId);
  const declared: readonly ErrorCode[] = operation
    ? codesOfOperation[operationId as keyof typeof codesOfOperation]
    : [];
  const code = declared.find((one) => one.toUpperCase() === 'CSRF_TOKEN_INVALID');
  if (!operation || !code) return {};
  const provoke: Provocation = async ({ server }) => {
    const { cookie, csrf } = operation.spec.security?.some((one: object) => 'operatorSession' in one)
      ? await signedInOperator(server, await server.operatorKey())
      : await signedIn(server, (await server.account()).credential);
    const headers = { Cookie: cookie, 'X-Cubby-CSRF': csrf, 'Sec-Fetch-Site': 'cross-site' };
    return sendSampleWith(server, operation, headers);
  };
  return { [code]: provoke };
}
