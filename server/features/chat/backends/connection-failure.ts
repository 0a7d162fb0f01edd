import { errors } from 'undici';

import { BodyTooLarge } from '#server/backends/send-request.ts';
import type { Failure } from './failure.ts';
import { isOverTime } from './model-errors.ts';

/**
 * Returns only the code of an error, because messages quote addresses.
 *
 * @throws the error if the server did not cause it
 */
export function failureOfConnection(error: unknown, signal: AbortSignal): Failure {
  if (signal.aborted) return { kind: isOverTime(signal) ? 'too-slow' : 'given-up' };
  if (error instanceof BodyTooLarge) return { kind: 'too-large' };
  if ([TypeError, RangeError, ReferenceError, errors.InvalidArgumentError].some((ours) => error instanceof ours))
    throw error;
  const { code } = error as { readonly code?: unknown };
  return { kind: 'unreachable', code: typeof code === 'string' ? code : 'no connection' };
}
