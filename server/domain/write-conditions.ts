import { Refusal } from './refusal.ts';

/** The conditions of a write. `undefined` for those that it does not have. */
export interface WriteConditions {
  /** Writes only if no file has one of these ETags, without quotes. `*` stands for any, so nothing may be there. */
  readonly ifNoneMatch?: readonly string[] | undefined;
  /** Writes only over a file with one of these ETags, without quotes. `*` stands for any. */
  readonly ifMatch?: readonly string[] | undefined;
}

/** A write that replaces any file. */
export const unconditional: WriteConditions = {};

/** Whether a write has a condition. */
export function isConditional({ ifNoneMatch, ifMatch }: WriteConditions): boolean {
  return ifNoneMatch !== undefined || ifMatch !== undefined;
}

/**
 * Checks that a request for several files has no conditions, which are about one file.
 *
 * @throws INVALID_CONDITION
 */
export function requireNoConditions(conditions: WriteConditions): void {
  if (isConditional(conditions))
    throw new Refusal('INVALID_CONDITION', { detail: 'This request is not about one file.' });
}
