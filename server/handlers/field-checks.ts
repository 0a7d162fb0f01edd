import type { OperationId } from '#generated/policies.ts';
import type { Call } from './call.ts';

/**
 * What the contract's schemas cannot say of an operation's fields (an end of a range, two fields that do not go
 * together), asked after its shape and before its plan. It looks at nothing that is stored. The input has the shape that
 * the contract gives it.
 */
export type FieldChecks = { readonly [operation in OperationId]?: (input: never, call: Call) => void };
