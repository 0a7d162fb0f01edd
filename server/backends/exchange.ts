import type { Dispatcher } from 'undici';

/** What a server of somebody else's sent is larger than anything that is read from it. */
export class BodyTooLarge extends Error {
  /** Of the answer. */
  readonly status: number;

  constructor(status: number) {
    super('The body is too large.');
    this.name = 'BodyTooLarge';
    this.status = status;
  }
}

export interface ExchangeRequest {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

export interface ExchangeLimits {
  /** Closes the connection at once when it is aborted. */
  readonly signal: AbortSignal;
  /** Of the body, by the status of the answer. */
  readonly maxBytes: (status: number) => number;
  /** Told when there is a connection, and the request goes out. */
  readonly onSending?: () => void;
}

const utf8 = new TextDecoder();

/** An answer that was read to its end. */
export interface ExchangeAnswer {
  readonly status: number;
  readonly retryAfter: string | undefined;
  /** UTF-8, without a mark of its byte order. */
  readonly text: string;
}

/**
 * Sends one request and reads the whole answer, by the client's own callbacks: a stream for it costs more than the rest
 * of the way. Follows no redirect and tries nothing again.
 *
 * @throws {BodyTooLarge} as soon as it is; the connection is closed then
 * @throws the signal's reason, or the client's error
 */
export function exchange(
  dispatcher: Dispatcher,
  { method, path, headers, body }: ExchangeRequest,
  { signal, maxBytes, onSending }: ExchangeLimits,
): Promise<ExchangeAnswer> {
  if (signal.aborted) return Promise.reject(signal.reason as Error);
  const { promise, resolve, reject } = Promise.withResolvers<ExchangeAnswer>();
  // While it waits for a connection: the client would tell of it only then.
  let abort = (reason: Error): void => reject(reason);
  const onAbort = (): void => abort(signal.reason as Error);
  const chunks: Buffer[] = [];
  let sizeBytes = 0;
  let status = 0;
  let retryAfter: string | undefined;
  dispatcher.dispatch(
    { method, path, headers, ...(body !== undefined && { body }) },
    {
      onRequestStart(controller) {
        abort = (reason) => controller.abort(reason);
        if (signal.aborted) onAbort();
        else onSending?.();
      },
      onResponseStart(_controller, statusCode, { 'retry-after': header }) {
        // 1xx comes here as well, and the answer after it.
        status = statusCode;
        retryAfter = Array.isArray(header) ? header[0] : header;
      },
      onResponseData(controller, chunk) {
        sizeBytes += chunk.length;
        if (sizeBytes > maxBytes(status)) controller.abort(new BodyTooLarge(status));
        else chunks.push(chunk);
      },
      onResponseEnd: () =>
        resolve({ status, retryAfter, text: utf8.decode(chunks.length === 1 ? chunks[0] : Buffer.concat(chunks)) }),
      onResponseError: (_controller, error) => reject(error),
    },
  );
  signal.addEventListener('abort', onAbort);
  return promise.finally(() => signal.removeEventListener('abort', onAbort));
}
