import type { Hash } from 'node:crypto';

import { nextOrAbort } from '../abortable-source.ts';
import type { ContentHash } from './content-hash.ts';

/** A source of a known size, which is sent in stretches while it arrives. */
export class FlowingBytes {
  /** Aborted with the signal of the put, and with the error of the source, which is no error of the bucket. */
  readonly signal: AbortSignal;
  readonly #chunks: AsyncIterator<Uint8Array>;
  readonly #content: ContentHash;
  readonly #given: AbortSignal | undefined;
  readonly #stop = new AbortController();
  /** What the last stretch left of its last chunk. */
  #rest: Uint8Array = new Uint8Array();

  constructor(chunks: AsyncIterator<Uint8Array>, content: ContentHash, signal: AbortSignal | undefined) {
    this.#chunks = chunks;
    this.#content = content;
    this.#given = signal;
    this.signal = signal ? AbortSignal.any([signal, this.#stop.signal]) : this.#stop.signal;
  }

  /**
   * Yields the next bytes, and hashes them.
   *
   * @param isLast whether the source must end behind them
   * @param hash a hash of these bytes alone
   * @throws the error of the source, and an Error if it has fewer bytes, or more behind the last ones
   */
  async *stretch(sizeBytes: number, isLast: boolean, hash?: Hash): AsyncGenerator<Uint8Array> {
    try {
      for (let left = sizeBytes; left > 0;) {
        const chunk = this.#rest.byteLength > 0 ? this.#rest : await this.#next();
        if (!chunk) throw new Error(`The source of a blob has ${left} bytes fewer than it announced.`);
        const taken = chunk.subarray(0, left);
        this.#rest = chunk.subarray(taken.byteLength);
        left -= taken.byteLength;
        this.#content.update(taken);
        hash?.update(taken);
        // Copied, because the source may use its chunk again while this one is written.
        const copy = Buffer.from(taken);
        // Looked at before the last bytes are sent, because the bucket stores them as soon as it has all.
        if (left === 0 && isLast) await this.#requireEnd();
        yield copy;
      }
    } catch (error) {
      this.#stop.abort(error);
      throw error;
    }
  }

  async #requireEnd(): Promise<void> {
    for (;;) {
      if (this.#rest.byteLength > 0) throw new Error('The source of a blob has more bytes than it announced.');
      const chunk = await this.#next();
      if (!chunk) return;
      this.#rest = chunk;
    }
  }

  async #next(): Promise<Uint8Array | undefined> {
    const { done, value } = await nextOrAbort(this.#chunks, this.#given);
    return done ? undefined : value;
  }
}
