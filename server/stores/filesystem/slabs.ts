/** Bytes of a slab. Small chunks are gathered up to this size, so that writes do not depend on the sender. */
export const slabBytes = 256 * 1024;

/** The most free slabs that are kept. Further ones go back to the system. */
const mostKept = 16;

/** The most uploads with a second slab, so that slow clients cannot fill the memory. */
const mostSeconds = 64;

/**
 * Memory for uploads that threads can read. Slabs are used again, because the system clears new memory first. Each
 * upload has one slab. While a thread hashes it, a second one can be filled.
 */
export class Slabs {
  readonly #free: Uint8Array[] = [];
  #seconds = 0;

  take(): Uint8Array {
    return this.#free.pop() ?? new Uint8Array(new SharedArrayBuffer(slabBytes));
  }

  /** Returns a second slab for an upload, unless too many uploads have one. */
  takeSecond(): Uint8Array | undefined {
    if (this.#seconds >= mostSeconds) return undefined;
    this.#seconds++;
    return this.take();
  }

  /** Takes back the slabs of an upload. */
  giveBack(slabs: readonly Uint8Array[]): void {
    if (slabs.length > 1) this.#seconds--;
    for (const slab of slabs) if (this.#free.length < mostKept) this.#free.push(slab);
  }
}
