import type { Dispatcher } from 'undici';

import type { Clock } from '#server/domain/ports/clock.ts';
import type { CallSpan } from '#server/telemetry/tracing.ts';
import { jsonValue } from '#server/backends/json-value.ts';
import { BodyTooLarge, sendRequest } from '#server/backends/send-request.ts';
import { failureOfConnection } from './connection-failure.ts';
import { failureOfStatus, type Failure } from './failure.ts';
import { requestProgress } from './request-progress.ts';
import { responseAttributes } from './span-attributes.ts';

/** A server of models, and how to reach one of its paths. */
export interface ModelServer {
  readonly pool: Dispatcher;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  /** The name of the model there. */
  readonly model: string;
}

/** How one request is posted. */
export interface PostOptions {
  readonly signal: AbortSignal;
  /** See `ChatModel.complete`. */
  readonly onBegun: () => void;
  readonly span: CallSpan;
  readonly clock: Clock;
  readonly maxBodyBytes: number;
  readonly refusedAtOnceMs?: number | undefined;
}

/** Only the first part of an error response is read. */
export const maxErrorBytes = 65_536;

/** Returns the headers of each request to a server of models. */
export function headersWith(key: string | undefined): ModelServer['headers'] {
  return {
    'content-type': 'application/json',
    accept: 'application/json',
    'user-agent': 'Cubby',
    ...(key !== undefined && { authorization: `Bearer ${key}` }),
  };
}

/** Posts one request, without a retry. Returns the JSON value of a 200; undefined if its body is not JSON. */
export async function postOnce(
  { pool, path, headers }: ModelServer,
  body: object,
  { signal, onBegun, span, clock, maxBodyBytes, refusedAtOnceMs }: PostOptions,
): Promise<{ readonly received: unknown } | { readonly failure: Failure }> {
  const request = {
    method: 'POST',
    path,
    headers: { ...headers, ...span.headers },
    body: JSON.stringify(body),
  } as const;
  const maxBytes = (status: number): number => (status === 200 ? maxBodyBytes : maxErrorBytes);
  const progress = requestProgress(onBegun, refusedAtOnceMs);
  const response = await sendRequest(pool, request, { signal, maxBytes, onSending: progress.sent })
    .catch((error: unknown) => {
      if (signal.aborted) progress.cutOff();
      // For an error response that is too long, the status is enough.
      return error instanceof BodyTooLarge && error.status !== 200
        ? { status: error.status, text: '', retryAfter: undefined }
        : { failure: failureOfConnection(error, signal) };
    })
    .finally(progress.done);
  if ('failure' in response && response.failure) return { failure: response.failure };
  const { status, text, retryAfter } = response;
  if (status !== 200) return { failure: failureOfStatus(status, text, retryAfter, clock.now()) };
  const received = jsonValue(text);
  span.note(responseAttributes(received));
  return { received };
}
