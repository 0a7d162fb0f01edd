import type { Dispatcher } from 'undici';

/** Thrown when the body of an outside server's response is larger than the limit. */
export class BodyTooLarge extends Error {
  /** Of the response. */
  readonly status: number;

  constructor(status: number) {
    super('The body is too large.');
    this.name = 'BodyTooLarge';
    this.status = status;
  }
}

export interface OutgoingRequest {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

interface OutgoingLimits {
  /** When aborted, closes the connection at once. */
  readonly signal: AbortSignal;
  /** The limit of the body, by the status of the response. */
  readonly maxBytes: (status: number) => number;
  /** Called when the request is sent over an open connection. */
  readonly onSending?: () => void;
}

const utf8 = new TextDecoder();

/** A response that was read to its end. */
interface ReceivedResponse {
  readonly status: number;
  readonly retryAfter: string | undefined;
  /** Decoded from UTF-8, without a byte order mark. */
  readonly text: string;
}

/**
 * Sends one request and reads the whole response. Uses undici's callbacks, because a stream costs more than everything
 * else here. Follows no redirect and makes no second try.
 *
 * @throws {BodyTooLarge} as soon as the limit is passed, and closes the connection
 * @throws the signal's reason, or the client's error
 */
export function sendRequest(
  dispatcher: Dispatcher,
  { method, path, headers, body }: OutgoingRequest,
  { signal, maxBytes, onSending }: OutgoingLimits,
): Promise<ReceivedResponse> {
  if (signal.aborted) return Promise.reject(signal.reason as Error);
  const { promise, resolve, reject } = Promise.withResolvers<ReceivedResponse>();
  // While the request waits for a connection, undici cannot abort it.
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
        // Also called for 1xx, before the final response.
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
