import { Readable } from 'node:stream';

/** Controls the flow of a response body. */
interface Flow {
  readonly paused: boolean;
  pause(): void;
  resume(): void;
  abort(reason: Error): void;
}

/**
 * The bytes of a blob on their way out of a bucket. It reads no faster than its consumer. It fails if the bucket sends
 * fewer bytes than it announced, because a client would take a short file for a whole one.
 */
export class BucketReader extends Readable {
  readonly #flow: Flow;
  readonly #announcedBytes: number;
  #receivedBytes = 0;
  #isEnded = false;

  /** @param announcedBytes the `Content-Length` of the response */
  constructor(flow: Flow, announcedBytes: number) {
    super();
    this.#flow = flow;
    this.#announcedBytes = announcedBytes;
    // The network may break before the first read. That read then throws the error.
    this.once('error', () => {});
  }

  /** Takes a chunk from the network. */
  receive(chunk: Buffer): void {
    this.#receivedBytes += chunk.length;
    if (!this.push(chunk)) this.#flow.pause();
  }

  /** Ends the bytes as the network did: with an error if it broke. */
  finish(error?: Error): void {
    this.#isEnded = true;
    if (error === undefined && this.#receivedBytes === this.#announcedBytes) return void this.push(null);
    const message = `The bucket sent ${this.#receivedBytes} of the ${this.#announcedBytes} bytes that it announced.`;
    this.destroy(new Error(message, { cause: error }));
  }

  override _read(): void {
    if (this.#flow.paused) this.#flow.resume();
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    if (!this.#isEnded) this.#flow.abort(error ?? new Error('The reader of the blob has left.'));
    done(error);
  }
}
