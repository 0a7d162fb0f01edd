import { BlobStoreUnavailable } from '#server/domain/ports/blobs.ts';

interface Waiting {
  readonly bytes: number;
  readonly grant: () => void;
}

/**
 * Buffers that may exceed the budget. Without them all memory could belong to parts that wait for more, and none could
 * be sent.
 */
const mostUrgent = 4;

/**
 * The memory of all uploads that gather bytes. If there is none, an upload and its client wait, and give up after
 * `waitMs`.
 */
export class BufferBudget {
  readonly #waitMs: number;
  #leftBytes: number;
  readonly #waiting = new Set<Waiting>();
  readonly #urgent = new Set<object>();

  constructor(bytes: number, waitMs: number) {
    this.#leftBytes = bytes;
    this.#waitMs = waitMs;
  }

  /**
   * Takes memory for a buffer.
   *
   * @throws {BlobStoreUnavailable} when there is none in time
   */
  async take(bytes: number, buffer: object, signal?: AbortSignal): Promise<void> {
    const isLeft = this.#waiting.size === 0 && bytes <= this.#leftBytes;
    if (isLeft || this.#isUrgent(buffer)) return void (this.#leftBytes -= bytes);
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const waiting: Waiting = { bytes, grant: resolve };
    this.#waiting.add(waiting);
    const timer = setTimeout(
      () => reject(new BlobStoreUnavailable('All memory for uploads to the bucket is in use.', undefined)),
      this.#waitMs,
    );
    const onAbort = () => reject(signal!.reason as Error);
    signal?.addEventListener('abort', onAbort, { once: true });
    try {
      await promise;
    } finally {
      clearTimeout(timer);
      signal?.removeEventListener('abort', onAbort);
      // One that gave up may have been the first in the queue.
      if (this.#waiting.delete(waiting)) this.#grant();
    }
  }

  /** Gives back all memory of a buffer. */
  give(bytes: number, buffer: object): void {
    this.#leftBytes += bytes;
    this.#urgent.delete(buffer);
    this.#grant();
  }

  #isUrgent(buffer: object): boolean {
    if (this.#urgent.size < mostUrgent) this.#urgent.add(buffer);
    return this.#urgent.has(buffer);
  }

  #grant(): void {
    for (const waiting of this.#waiting) {
      if (waiting.bytes > this.#leftBytes) return;
      this.#leftBytes -= waiting.bytes;
      this.#waiting.delete(waiting);
      waiting.grant();
    }
  }
}
