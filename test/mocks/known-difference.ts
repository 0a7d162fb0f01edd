import type { OperationId } from '#generated/policies.ts';
import type { Credential } from './generated-requests.ts';

/** A known difference: the server refuses with one of these codes, and the mock sends an example. */
export interface KnownDifference {
  readonly codes: readonly string[];
  /** Whether the mock may come to the code of a later check instead. */
  readonly later?: 'any';
  /** Undefined for all operations. */
  readonly operations?: readonly OperationId[];
  /** Undefined for all credentials. */
  readonly credential?: Credential;
  readonly why: string;
}
