import type { Clock } from '#server/domain/ports/clock.ts';

/** The limits of one piece. */
interface PieceLimits {
  readonly maxBytes: number;
  /** A piece with any bytes ends after this time. */
  readonly maxMs: number;
}

/**
 * Cuts a stream of bytes into pieces. A piece ends early, without an error, when the source fails or `stop` is aborted,
 * so that what has arrived can be stored. Then {@link failure} says why.
 */
export class CutSource {
  readonly #chunks: AsyncIterator<Uint8Array>;
  readonly #stop: AbortSignal;
  readonly #clock: Clock;
  /** The rest of a chunk. It is valid until the next one is requested. */
  #left: Uint8Array | undefined;
  #isOver = false;
  /** Ends the wait for the next chunk. */
  #wake: () => void = () => {};
  #failure: { readonly error: unknown } | undefined;

  constructor(source: AsyncIterable<Uint8Array>, stop: AbortSignal, clock: Clock) {
    this.#chunks = source[Symbol.asyncIterator]();
    this.#stop = stop;
    this.#clock = clock;
    stop.addEventListener('abort', () => this.#wake(), { once: true });
  }

  /** Why the source ended before its end. Its error is the reason of `stop` if that was aborted. */
  get failure(): { readonly error: unknown } | undefined {
    return this.#failure;
  }

  /** Whether there are more bytes. Waits for them. */
  async hasMore(): Promise<boolean> {
    while (this.#left === undefined && !this.#isOver) await this.#readOn();
    return this.#left !== undefined;
  }

  /** Yields the next bytes up to the limits. Read a piece to its end before the next one. */
  async *piece({ maxBytes, maxMs }: PieceLimits): AsyncGenerator<Uint8Array> {
    let leftBytes = maxBytes;
    const endsAt = this.#clock.now() + maxMs;
    while (leftBytes > 0 && (leftBytes === maxBytes || this.#clock.now() < endsAt) && (await this.hasMore())) {
      const chunk = this.#left!;
      const taken = chunk.subarray(0, leftBytes);
      // Only set afterwards, because the chunk is valid while its consumer has it.
      this.#left = taken.length < chunk.length ? chunk.subarray(taken.length) : undefined;
      leftBytes -= taken.length;
      yield taken;
    }
  }

  async #readOn(): Promise<void> {
    if (this.#stop.aborted) return this.#end({ error: this.#stop.reason });
    const next = this.#chunks.next();
    try {
      // Not Promise.race(): each race with one long promise would stay in memory until that promise is settled.
      const result = await new Promise<IteratorResult<Uint8Array> | undefined>((resolve, reject) => {
        this.#wake = () => resolve(undefined);
        next.then(resolve, reject);
      });
      // After a stop nobody reads the rest of the request's body.
      if (result === undefined) this.#end({ error: this.#stop.reason });
      else if (result.done) this.#end(undefined);
      else if (result.value.length > 0) this.#left = result.value;
    } catch (error) {
      this.#end({ error });
    }
  }

  #end(failure: { readonly error: unknown } | undefined): void {
    this.#isOver = true;
    this.#failure = failure;
  }
}
