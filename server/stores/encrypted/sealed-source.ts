import type { KeyObject } from 'node:crypto';

import { nextOrAbort, release } from '../abortable-source.ts';
import type { HashedContent } from '../filesystem/hashed-content.ts';
import { releaseMemory } from '../release-memory.ts';
import { sealSegments } from './segments.ts';
import { sealedSize, segmentBytes } from './sizes.ts';

/**
 * The bytes of a blob on their way into a store: gathered, hashed as they are, and encrypted. The hashes are those of
 * the clear bytes.
 */
export class SealedSource {
  readonly #key: KeyObject;
  readonly #content: Pick<HashedContent, 'slab' | 'add' | 'end'>;
  readonly #source: AsyncIterable<Uint8Array>;
  readonly #signal: AbortSignal | undefined;
  #isOver = false;

  /** @param content has slabs of a whole number of segments */
  constructor(
    source: AsyncIterable<Uint8Array>,
    key: KeyObject,
    content: Pick<HashedContent, 'slab' | 'add' | 'end'>,
    signal: AbortSignal | undefined,
  ) {
    this.#source = source;
    this.#key = key;
    this.#content = content;
    this.#signal = signal;
  }

  /** Ends it, so that it fills no slab any more. Otherwise a source that hangs could still yield bytes later. */
  end(): void {
    this.#isOver = true;
  }

  /** Yields the encrypted bytes, in memory that is used again. Closes a source that is not read to its end. */
  async *bytes(): AsyncGenerator<Uint8Array> {
    const iterator = this.#source[Symbol.asyncIterator]();
    let index = 0;
    let slab: Uint8Array | undefined;
    let memory: Uint8Array | undefined;
    let used = 0;
    let isRead = false;
    try {
      for (;;) {
        const next = await nextOrAbort(iterator, this.#signal);
        if (this.#isOver) return;
        if (next.done) break;
        for (let chunk = next.value; chunk.byteLength > 0;) {
          slab ??= await this.#content.slab();
          if (this.#isOver) return;
          const taken = chunk.subarray(0, slab.byteLength - used);
          slab.set(taken, used); // copied, because the source may use its chunk again
          used += taken.byteLength;
          chunk = chunk.subarray(taken.byteLength);
          if (used < slab.byteLength) continue;
          this.#content.add(slab); // hashed and encrypted at the same time
          memory ??= Buffer.allocUnsafeSlow(sealedSize(slab.byteLength));
          yield sealSegments(this.#key, { index, bytes: slab, isLast: false }, memory);
          index += slab.byteLength / segmentBytes;
          slab = undefined;
          used = 0;
        }
      }
      isRead = true;
      const rest = slab?.subarray(0, used) ?? new Uint8Array();
      this.#content.end(rest);
      yield sealSegments(this.#key, { index, bytes: rest, isLast: true }, memory);
      // Only after success: after a failure, a socket may still be sending the last piece.
      if (memory) releaseMemory(memory);
    } finally {
      if (!isRead) release(iterator);
    }
  }
}
