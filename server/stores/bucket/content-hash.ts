import { createHash, type Hash } from 'node:crypto';

import type { BlobHashes } from '#server/domain/ports/blobs.ts';

/** Hashes the bytes of one blob. */
export class ContentHash {
  readonly #md5: Hash = createHash('md5');
  readonly #sha256: Hash | undefined;

  constructor(wantsSha256: boolean) {
    this.#sha256 = wantsSha256 ? createHash('sha256') : undefined;
  }

  update(bytes: Uint8Array): void {
    this.#md5.update(bytes);
    this.#sha256?.update(bytes);
  }

  /** Call it once, after all bytes. */
  digest(): BlobHashes {
    return { md5: this.#md5.digest('hex'), sha256: this.#sha256?.digest('hex') ?? null };
  }
}
