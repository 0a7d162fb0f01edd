import type { IncomingHttpHeaders } from 'node:http';

import { Pool, type Dispatcher } from 'undici';

import { BucketReader } from './bucket-reader.ts';

/** The time limits of requests to a bucket, in milliseconds. */
export interface TransportTimeouts {
  readonly connectMs: number;
  /** Until the head of the response, after the last byte of the request. Also until a connection is free. */
  readonly answerMs: number;
  /** As `answerMs`, for a request with many bytes, which the bucket has to make durable. */
  readonly storedMs: number;
  /** Between two chunks of a body. */
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

/** A page of a list has a few hundred kilobytes. */
const maxTextBytes = 8 * 1024 * 1024;

/** Bodies above this are given the time of `storedMs`. */
const fewBytes = 1024 * 1024;

/** Connections to one bucket. */
export class Transport {
  readonly #pool: Pool;
  readonly #timeouts: TransportTimeouts;

  constructor(origin: string, timeouts: TransportTimeouts) {
    this.#timeouts = timeouts;
    // As many connections as there are requests: slow downloads keep theirs, and must not keep others waiting.
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
    const { method, target: path, headers, body } = request;
    const isLarge = Number(headers['content-length'] ?? 0) > fewBytes;
    const headersTimeout = isLarge || method === 'POST' ? this.#timeouts.storedMs : this.#timeouts.answerMs;
    const receiver = new Receiver(request.streams, this.#timeouts.answerMs, signal);
    this.#pool.dispatch(
      { method, path, headers, headersTimeout, body: (body ?? null) as Dispatcher.DispatchOptions['body'] & {} },
      receiver,
    );
    return receiver.response;
  }

  /** Cuts off all requests. */
  close(): Promise<void> {
    return this.#pool.destroy();
  }
}

/** Receives one response. It uses undici's callbacks, because its streams cost more than the rest of a small request. */
class Receiver implements Dispatcher.DispatchHandler {
  readonly response: Promise<WireResponse>;
  readonly #streams: boolean;
  readonly #signal: AbortSignal | undefined;
  readonly #settle: PromiseWithResolvers<WireResponse>;
  readonly #chunks: Buffer[] = [];
  #timer: NodeJS.Timeout | undefined;
  #controller: Dispatcher.DispatchController | undefined;
  #failure: Error | undefined;
  #status = 0;
  #headers: IncomingHttpHeaders = {};
  #textBytes = 0;
  #reader: BucketReader | undefined;

  constructor(streams: boolean, waitMs: number, signal: AbortSignal | undefined) {
    this.#streams = streams;
    this.#signal = signal;
    this.#settle = Promise.withResolvers();
    this.response = this.#settle.promise.finally(() => {
      clearTimeout(this.#timer);
      signal?.removeEventListener('abort', this.#onAbort);
    });
    this.#timer = setTimeout(() => this.#abort(new Error('No connection was free in time.')), waitMs);
    if (signal?.aborted) this.#onAbort();
    else signal?.addEventListener('abort', this.#onAbort);
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
    clearTimeout(this.#timer);
    if (this.#failure) controller.abort(this.#failure);
  }

  /** Also called for 1xx, before the final response. */
  onResponseStart(controller: Dispatcher.DispatchController, status: number, headers: IncomingHttpHeaders): void {
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

  /** While a request waits for a connection, undici cannot abort it. */
  #abort(reason: Error): void {
    this.#failure = reason;
    if (this.#controller) this.#controller.abort(reason);
    else this.#settle.reject(reason);
  }
}
