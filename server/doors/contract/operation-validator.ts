/**
 * express-openapi-validator for one operation. It is a chain of Express middlewares. It gets a request that is built
 * here from checked raw values only, for two reasons:
 * - It coerces generously (`1e3`, ` 7 `, an array of one), so the raw text is checked first.
 * - It writes types and defaults into its request. None of that may leak into the real one.
 */
import type { OperationPolicy } from '#server/pipeline/operation-policy.ts';
import { nextTurn } from '#server/event-loop.ts';
import {
  operationChain,
  validatorRequest,
  type ValidatorRequest,
} from '#server/internals/express-openapi-validator-5.ts';
import { warnOfUrlParse } from '#server/internals/node-24.ts';
import type { Finding } from './field-messages.ts';
import type { Json } from './operation-document.ts';
import type { RawInput } from './raw-values.ts';
import { takesFields } from './request-body.ts';

/** Returns the violations of a request, and converts its values to their types. */
export type Validate = (probe: ValidatorRequest, pathParams: RawInput['pathParameters']) => Promise<Finding[]>;

/**
 * Makes the validator of an operation. That takes some milliseconds, in several turns of the event loop.
 *
 * @param apiDoc the operation's part of the contract, from `documentOf()`. The validator changes it.
 */
export async function operationValidator(apiDoc: Json, policy: OperationPolicy): Promise<Validate> {
  warnOfUrlParse();
  const validate = await operationChain(apiDoc, policy);
  // This empty request compiles the validator and lets it find its operation. Whether it is refused does not matter.
  const pathname = policy.path.replace(/\{[^{}]+\}/g, 'x');
  await validate(probeOf(policy, { pathname, pathParameters: {}, body: undefined }, {}), {});
  await nextTurn();
  return validate;
}

/** Builds the request for the validator, which converts its values and writes defaults into it. */
export function probeOf(
  policy: OperationPolicy,
  raw: Omit<RawInput, 'query'>,
  query: Record<string, string>,
): ValidatorRequest {
  const headers = takesFields(policy) ? { 'content-type': 'application/json' } : {};
  return validatorRequest({ ...raw, method: policy.method, query, headers });
}
