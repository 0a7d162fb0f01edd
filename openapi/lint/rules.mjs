import { errorCodesNarrowed, errorExamples, oneStatusForACode } from './error-rules.mjs';
import {
  operationExplained,
  operationIdVerb,
  operationPolicies,
  queryParameters,
  securedResponses,
  successExamples,
  unknownFields,
  uploadTokens,
} from './operation-rules.mjs';

/**
 * Own lint rules of the contract. `redocly.yaml` turns them on as `cubby/<rule>`; `openapi/README.md` says what the
 * contract owes;
 * `test/contract/lint-rules.test.ts` shows each rule at work.
 *
 * Every rule walks the operations from the root, because what it judges (a path, a status, an example) lies in several
 * files.
 */
export const rules = {
  'error-examples': errorExamples,
  'error-codes-narrowed': errorCodesNarrowed,
  'one-status-for-a-code': oneStatusForACode,
  'operation-policies': operationPolicies,
  'operation-id-verb': operationIdVerb,
  'query-parameters': queryParameters,
  'secured-responses': securedResponses,
  'upload-tokens': uploadTokens,
  'unknown-fields': unknownFields,
  'operation-explained': operationExplained,
  'success-examples': successExamples,
};
