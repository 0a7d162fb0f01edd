import { BlobStoreUnavailable } from '#server/domain/ports/blobs.ts';

interface Waiting {
  readonly bytes: number;
  readonly grant: () => void;
}

/**
 * Memory that all uploads may hold while they gather bytes. An upload that finds none waits, and its client with it. It
 * gives up after `waitMs`, so that uploads which wait for each other do not do so forever.
 */
export class BufferBudget {
  readonly #waitMs: number;
  #leftBytes: number;
  readonly #waiting = new Set<Waiting>();

  constructor(bytes: number, waitMs: number) {
    this.#leftBytes = bytes;
    this.#waitMs = waitMs;
  }

  /** @throws {BlobStoreUnavailable} when there is no memory in time */
  async take(bytes: number, signal?: AbortSignal): Promise<void> {
    if (this.#waiting.size === 0 && bytes <= this.#leftBytes) return void (this.#leftBytes -= bytes);
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

  give(bytes: number): void {
    this.#leftBytes += bytes;
    this.#grant();
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
