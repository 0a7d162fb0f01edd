import { hash } from 'node:crypto';

import type { BlobHashes, BlobStoreFailed } from '#server/domain/ports/blobs.ts';
import type { ContentThread, HashListener, HashThreads } from './hash-threads.ts';
import type { Slabs } from './slabs.ts';

/**
 * The memory and the hashes of one content on its way into a file. A content that fits one slab is hashed at its end,
 * on the event loop. A thread hashes a larger one while it arrives.
 */
export class HashedContent implements HashListener, Disposable {
  readonly #threads: Pick<HashThreads, 'begin'>;
  readonly #pool: Slabs;
  readonly #wantsSha256: boolean;
  /** One or two. The one that was filled first comes first. */
  readonly #slabs: Uint8Array[] = [];
  #thread: ContentThread | undefined;
  #addedPieces = 0;
  #hashedPieces = 0;
  #hashes: BlobHashes | undefined;
  #failure: BlobStoreFailed | undefined;
  /** Called after each message of the thread. */
  #wake = () => {};

  constructor(threads: Pick<HashThreads, 'begin'>, pool: Slabs, wantsSha256: boolean) {
    this.#threads = threads;
    this.#pool = pool;
    this.#wantsSha256 = wantsSha256;
  }

  /**
   * Returns the memory for the next bytes, once the bytes that it had before are hashed.
   *
   * @throws {BlobStoreFailed} when the thread has ended
   */
  async slab(): Promise<Uint8Array> {
    const slabs = this.#slabs;
    if (slabs.length < 2) {
      const more = slabs.length === 0 ? this.#pool.take() : this.#pool.takeSecond();
      if (more) slabs.push(more);
      if (more) return more;
    }
    await this.#until(() => this.#addedPieces - this.#hashedPieces < slabs.length);
    const slab = slabs.shift()!;
    slabs.push(slab);
    return slab;
  }

  /** Adds a full slab. */
  add(bytes: Uint8Array): void {
    this.#thread ??= this.#threads.begin(this.#wantsSha256, this);
    this.#addedPieces++;
    this.#thread.add(bytes);
  }

  /** Adds the last bytes, which may be none. */
  end(bytes: Uint8Array): void {
    if (this.#thread) {
      if (bytes.byteLength > 0) this.add(bytes);
      this.#thread.end();
    } else {
      const sha256 = this.#wantsSha256 ? hash('sha256', bytes, 'hex') : null;
      this.#hashes = { md5: hash('md5', bytes, 'hex'), sha256 };
    }
  }

  /**
   * Returns the hashes of all bytes. Call it after the end.
   *
   * @throws {BlobStoreFailed} when the thread has ended
   */
  async hashes(): Promise<BlobHashes> {
    await this.#until(() => this.#hashes !== undefined);
    return this.#hashes!;
  }

  /** Gives the slabs back. Call it when nobody fills or reads them any more. */
  [Symbol.dispose](): void {
    this.#thread?.drop();
    this.#pool.giveBack(this.#slabs.splice(0));
  }

  hashedPiece(): void {
    this.#hashedPieces++;
    this.#wake();
  }

  hashedAll(hashes: BlobHashes): void {
    this.#hashes = hashes;
    this.#wake();
  }

  lost(error: BlobStoreFailed): void {
    this.#failure = error;
    this.#wake();
  }

  async #until(isTrue: () => boolean): Promise<void> {
    while (!isTrue()) {
      if (this.#failure) throw this.#failure;
      await new Promise<void>((resolve) => (this.#wake = resolve));
    }
  }
}
