import type { IncomingHttpHeaders } from 'node:http';

import { Pool, type Dispatcher } from 'undici';

import { BucketReader } from './bucket-reader.ts';

/** The time limits of requests to a bucket, in milliseconds. */
export interface TransportTimeouts {
  readonly connectMs: number;
  /**
   * How long to wait for the bucket: for a connection, until it takes the next bytes of a request, or for the head of
   * the response. Waits for the source of the bytes do not count, so a long upload goes on while it makes progress.
   */
  readonly answerMs: number;
  /** Until the head of the response to the completion of an upload in parts, which the bucket has to join. */
  readonly joinedMs: number;
  /** Between two chunks of a response body. */
  readonly stallMs: number;
}

/** A signed request. */
export interface WireRequest {
  readonly method: 'GET' | 'HEAD' | 'PUT' | 'POST' | 'DELETE';
  /** Path and query. */
  readonly target: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: RequestBody | undefined;
  /** Whether the body of a 200 or 206 is a stream. Any other body is a text. */
  readonly streams: boolean;
}

export type RequestBody = Uint8Array | Iterable<Uint8Array> | AsyncIterable<Uint8Array>;

export interface WireResponse {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  /** The bytes, if the request streams. */
  readonly reader: BucketReader | undefined;
}

const noAnswer = 'It did not answer in time.';

/** A page of a list has a few hundred kilobytes. */
const maxTextBytes = 8 * 1024 * 1024;

/** The least that a bucket takes in and makes durable in a millisecond: 8 MiB a second, also behind a proxy. */
const bytesPerMs = (8 * 1024 * 1024) / 1000;

/** Connections to one bucket. */
export class Transport {
  readonly #pool: Pool;
  readonly #timeouts: TransportTimeouts;

  constructor(origin: string, timeouts: TransportTimeouts) {
    this.#timeouts = timeouts;
    // One connection for each request, because slow downloads keep theirs and must not delay others.
    this.#pool = new Pool(origin, {
      connect: { timeout: timeouts.connectMs },
      bodyTimeout: timeouts.stallMs,
      keepAliveTimeout: 10_000,
      allowH2: false,
    });
  }

  /**
   * Sends a request once. Resolves with the whole response, or at its head if its body is a stream.
   *
   * @throws the signal's reason, the error of the body, or the client's error
   */
  send(request: WireRequest, signal: AbortSignal | undefined): Promise<WireResponse> {
    const { method, target: path, headers, body = null } = request;
    const { answerMs, joinedMs } = this.#timeouts;
    const sentBytes = Number(headers['content-length'] ?? 0);
    const storedMs = method === 'POST' ? joinedMs : answerMs + sentBytes / bytesPerMs;
    const receiver = new Receiver(request.streams, { answerMs, storedMs }, signal);
    const isWhole = body === null || body instanceof Uint8Array;
    const watched = isWhole ? body : receiver.watched(body);
    // The receiver has its own timer, because undici's also counts the waits for the source.
    this.#pool.dispatch({ method, path, headers, headersTimeout: 0, body: watched as DispatchedBody }, receiver);
    return receiver.response;
  }

  /** Cuts off all requests. */
  close(): Promise<void> {
    return this.#pool.destroy();
  }
}

type DispatchedBody = Dispatcher.DispatchOptions['body'] & {};

/** How long to wait for the next step of the bucket, and for the response once it has all bytes. In milliseconds. */
type Patience = Readonly<Record<'answerMs' | 'storedMs', number>>;

/**
 * Receives one response. It uses undici's callbacks, because its streams cost more than the rest of a small request.
 */
class Receiver implements Dispatcher.DispatchHandler {
  readonly response: Promise<WireResponse>;
  readonly #streams: boolean;
  readonly #signal: AbortSignal | undefined;
  readonly #settle: PromiseWithResolvers<WireResponse>;
  readonly #chunks: Buffer[] = [];
  readonly #patience: Patience;
  #timer: NodeJS.Timeout | undefined;
  #controller: Dispatcher.DispatchController | undefined;
  #failure: Error | undefined;
  /** Whether the head of the response is there. */
  #isAnswered = false;
  #status = 0;
  #headers: IncomingHttpHeaders = {};
  #textBytes = 0;
  #reader: BucketReader | undefined;

  constructor(streams: boolean, patience: Patience, signal: AbortSignal | undefined) {
    this.#streams = streams;
    this.#patience = patience;
    this.#signal = signal;
    this.#settle = Promise.withResolvers();
    this.response = this.#settle.promise.finally(() => {
      clearTimeout(this.#timer);
      signal?.removeEventListener('abort', this.#onAbort);
    });
    this.#await(patience.answerMs, 'No connection was free in time.');
    if (signal?.aborted) this.#onAbort();
    else signal?.addEventListener('abort', this.#onAbort);
  }

  /** Returns the same bytes. No time limit runs while they are being read from the source. */
  async *watched(body: Iterable<Uint8Array> | AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    clearTimeout(this.#timer);
    for await (const chunk of body) {
      this.#await(this.#patience.answerMs, 'It took no bytes for too long.');
      yield chunk;
      clearTimeout(this.#timer);
    }
    this.#await(this.#patience.storedMs, noAnswer);
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
    if (this.#failure) controller.abort(this.#failure);
    else this.#await(this.#patience.storedMs, noAnswer);
  }

  /** Also called for 1xx, before the final response. */
  onResponseStart(controller: Dispatcher.DispatchController, status: number, headers: IncomingHttpHeaders): void {
    if (status >= 200) this.#isAnswered = true;
    if (this.#isAnswered) clearTimeout(this.#timer);
    this.#status = status;
    this.#headers = headers;
    if (!this.#streams || (status !== 200 && status !== 206)) return;
    this.#reader = new BucketReader(controller, Number(headers['content-length']));
    this.#resolve();
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    if (this.#reader) return this.#reader.receive(chunk);
    this.#textBytes += chunk.length;
    if (this.#textBytes > maxTextBytes) controller.abort(new Error('The response of the bucket is too long.'));
    else this.#chunks.push(chunk);
  }

  onResponseEnd(): void {
    if (this.#reader) this.#reader.finish();
    else this.#resolve();
  }

  onResponseError(_controller: unknown, error: Error): void {
    if (this.#reader) this.#reader.finish(error);
    else this.#settle.reject(error);
  }

  #resolve(): void {
    const text = Buffer.concat(this.#chunks).toString();
    this.#settle.resolve({ status: this.#status, headers: this.#headers, text, reader: this.#reader });
  }

  readonly #onAbort = (): void => this.#abort(this.#signal!.reason as Error);

  /** Fails the request unless the bucket does something within this time. */
  #await(withinMs: number, why: string): void {
    clearTimeout(this.#timer);
    if (!this.#isAnswered) this.#timer = setTimeout(() => this.#abort(new Error(why)), withinMs);
  }

  /** While a request waits for a connection, undici cannot abort it. */
  #abort(reason: Error): void {
    this.#failure = reason;
    if (this.#controller) this.#controller.abort(reason);
    else this.#settle.reject(reason);
  }
}
