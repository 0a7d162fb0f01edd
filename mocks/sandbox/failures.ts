import { codesOfOperation, retries, type ErrorCode } from '#generated/errors.ts';
import { policies, type OperationId } from '#generated/policies.ts';

/** A connection that ends: before the server has seen the request, or after it has acted and before its response. */
type CutAt = 'request' | 'response';

/** The next requests of an operation fail. */
export interface PlannedFailure {
  readonly operation: OperationId;
  /** How many requests fail. */
  readonly times: number;
  /** The code of the response. Undefined: the connection is cut. */
  readonly code?: ErrorCode;
  readonly cut?: CutAt;
  /** The value of `Retry-After`, in seconds. Default: the contract's for the code. */
  readonly retryAfterSeconds?: number;
}

/** The failures that a test has planned. Those of one operation happen in their order. */
export class Failures {
  #planned: Array<{ readonly failure: PlannedFailure; left: number }> = [];

  add(failure: PlannedFailure): void {
    this.#planned.push({ failure, left: failure.times });
  }

  /** Returns the failure of this request, and counts it. */
  take(operation: OperationId | undefined): PlannedFailure | undefined {
    const next = this.#planned.find(({ failure }) => failure.operation === operation);
    if (!next) return undefined;
    next.left--;
    if (next.left === 0) this.#planned = this.#planned.filter((one) => one !== next);
    return next.failure;
  }

  /** The failures that have not happened yet, with the requests left. */
  waiting(): ReadonlyArray<PlannedFailure> {
    return this.#planned.map(({ failure, left }) => ({ ...failure, times: left }));
  }

  clear(): void {
    this.#planned = [];
  }
}

/** A request to the control API that it cannot carry out. Its message says what is possible. */
export class ControlError extends Error {}

/**
 * Reads a planned failure.
 *
 * @throws {ControlError}
 */
export function parseFailure(body: Readonly<Record<string, unknown>>): PlannedFailure {
  const { operation, times = 1, code, cut, retryAfterSeconds } = body;
  if (typeof operation !== 'string' || !Object.hasOwn(policies, operation))
    throw new ControlError(
      `"operation" must be the name of an operation, such as uploadObject. Got ${JSON.stringify(operation)}.`,
    );
  const id = operation as OperationId;
  if (typeof times !== 'number' || !Number.isInteger(times) || times < 1 || times > 1_000_000)
    throw new ControlError(`"times" must be a whole number from 1 to 1000000. Got ${JSON.stringify(times)}.`);
  if ((code === undefined) === (cut === undefined))
    throw new ControlError('Send either "code", the code of an error, or "cut": "request" or "response".');
  if (cut !== undefined && cut !== 'request' && cut !== 'response')
    throw new ControlError(`"cut" must be "request" or "response". Got ${JSON.stringify(cut)}.`);
  const codes: readonly string[] = codesOfOperation[id];
  if (code !== undefined && (typeof code !== 'string' || !codes.includes(code)))
    throw new ControlError(
      `${operation} has no error with the code ${JSON.stringify(code)}. It has ${codes.join(', ')}.`,
    );
  if (
    retryAfterSeconds !== undefined &&
    (typeof retryAfterSeconds !== 'number' || !Number.isInteger(retryAfterSeconds) || retryAfterSeconds < 0)
  )
    throw new ControlError('"retryAfterSeconds" must be a whole number from 0.');
  if (retryAfterSeconds !== undefined && !(String(code) in retries))
    throw new ControlError(
      `"retryAfterSeconds" needs a code that comes with Retry-After. ${code ?? 'A cut connection'} has none. ` +
        `${operation} has ${codes.filter((one) => one in retries).join(', ')}.`,
    );
  return {
    operation: id,
    times,
    ...(code !== undefined && { code: code as ErrorCode }),
    ...(cut !== undefined && { cut }),
    ...(retryAfterSeconds !== undefined && { retryAfterSeconds }),
  };
}
