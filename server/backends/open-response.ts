import type { Dispatcher } from 'undici';

export interface OutgoingRequest {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

export interface OpeningOptions {
  /** When aborted, closes the connection at once. */
  readonly signal: AbortSignal;
  /** Called when the request is sent over an open connection. */
  readonly onSending?: () => void;
  /** The longest pause within the body. Null for that of the dispatcher; none by default. */
  readonly bodyTimeout?: number | null;
}

/** A response whose body is read piece by piece. */
export interface OpenedResponse {
  readonly status: number;
  readonly retryAfter: string | undefined;
  /** In lower case. */
  readonly contentType: string;
  readonly body: ReceivedBody;
}

/**
 * Sends one request and returns when the head of the response has come. The body is not limited: the reader limits it.
 * Uses undici's callbacks, because its stream costs more than everything else here. Follows no redirect and makes no
 * second try.
 *
 * @throws the signal's reason, or the client's error
 */
export function openResponse(
  dispatcher: Dispatcher,
  { method, path, headers, body }: OutgoingRequest,
  { signal, onSending, bodyTimeout = 0 }: OpeningOptions,
): Promise<OpenedResponse> {
  if (signal.aborted) return Promise.reject(signal.reason as Error);
  const { promise, resolve, reject } = Promise.withResolvers<OpenedResponse>();
  // While the request waits for a connection, undici cannot abort it.
  let abort = (reason: Error): void => reject(reason);
  const onAbort = (): void => abort(signal.reason as Error);
  const over = (): void => signal.removeEventListener('abort', onAbort);
  let received: ReceivedBody | undefined;
  dispatcher.dispatch(
    { method, path, headers, bodyTimeout, ...(body !== undefined && { body }) },
    {
      onRequestStart(controller) {
        abort = (reason) => controller.abort(reason);
        if (signal.aborted) onAbort();
        else onSending?.();
      },
      onResponseStart(controller, status, responseHeaders) {
        // Also called for 1xx, before the final response.
        if (status < 200) return;
        received = new ReceivedBody(controller);
        resolve({
          status,
          retryAfter: one(responseHeaders['retry-after']),
          contentType: (one(responseHeaders['content-type']) ?? '').toLowerCase(),
          body: received,
        });
      },
      onResponseData: (_controller, chunk) => received!.receive(chunk),
      onResponseEnd() {
        over();
        received!.end();
      },
      onResponseError(_controller, error) {
        over();
        received?.end(error);
        reject(error);
      },
    },
  );
  signal.addEventListener('abort', onAbort);
  return promise;
}

function one(header: string | string[] | undefined): string | undefined {
  return Array.isArray(header) ? header[0] : header;
}

/** So many bytes are read ahead of the reader. The connection then waits. */
const aheadBytes = 64 * 1024;

/** A connection whose rest is short and comes soon is kept for the next request. */
const restBytes = 16 * 1024;
const restMs = 1000;

/** A body as it comes. One reader takes its pieces. */
export class ReceivedBody {
  readonly #controller: Dispatcher.DispatchController;
  readonly #chunks: Buffer[] = [];
  #sizeBytes = 0;
  #isOver = false;
  #isLeft = false;
  #error: Error | undefined;
  #wake: (() => void) | undefined;
  #timer: NodeJS.Timeout | undefined;

  constructor(controller: Dispatcher.DispatchController) {
    this.#controller = controller;
  }

  /**
   * Returns the next piece; undefined at the end.
   *
   * @throws the client's error, or the signal's reason
   */
  async next(): Promise<Buffer | undefined> {
    for (;;) {
      const chunk = this.#chunks.shift();
      if (chunk) {
        this.#sizeBytes -= chunk.length;
        if (this.#sizeBytes < aheadBytes && this.#controller.paused) this.#controller.resume();
        return chunk;
      }
      if (this.#isLeft) return undefined;
      if (this.#error) throw this.#error;
      if (this.#isOver) return undefined;
      await new Promise<void>((resolve) => (this.#wake = resolve));
    }
  }

  /** Reads the rest as UTF-8. Returns undefined for a longer one, and closes the connection. */
  async text(maxBytes: number): Promise<string | undefined> {
    const chunks: Buffer[] = [];
    let sizeBytes = 0;
    for (let chunk = await this.next(); chunk; chunk = await this.next()) {
      sizeBytes += chunk.length;
      if (sizeBytes > maxBytes) return void this.abort();
      chunks.push(chunk);
    }
    return new TextDecoder().decode(Buffer.concat(chunks));
  }

  /** Ends the reading. The rest is read and dropped, unless it is long. May be called twice, and during `next`. */
  leave(): void {
    if (this.#isLeft) return;
    this.#isLeft = true;
    this.#chunks.length = this.#sizeBytes = 0;
    if (!this.#isOver) {
      this.#timer = setTimeout(() => this.abort(), restMs).unref();
      this.#controller.resume();
    }
    this.#wake?.();
  }

  /** Closes the connection. */
  abort(): void {
    this.#isLeft = true;
    if (!this.#isOver) this.#controller.abort(new Error('The response is not read any further.'));
    this.#wake?.();
  }

  receive(chunk: Buffer): void {
    this.#sizeBytes += chunk.length;
    if (this.#isLeft) {
      if (this.#sizeBytes > restBytes) this.abort();
      return;
    }
    this.#chunks.push(chunk);
    if (this.#sizeBytes >= aheadBytes) this.#controller.pause();
    this.#wake?.();
  }

  end(error?: Error): void {
    this.#isOver = true;
    this.#error = error;
    clearTimeout(this.#timer);
    this.#wake?.();
  }
}
