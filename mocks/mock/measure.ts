import { createHash } from 'node:crypto';

import { Refusal } from '#server/domain/refusal.ts';

/** The size and the SHA-256 of a body that was read to its end and dropped. */
export class Measure {
  readonly sizeBytes: number;
  readonly #sha256: string;

  private constructor(sizeBytes: number, sha256: string) {
    this.sizeBytes = sizeBytes;
    this.#sha256 = sha256;
  }

  /** @throws `tooLarge` at more than `maxBytes`, and the errors of the body */
  static async of(
    bytes: AsyncIterable<Uint8Array>,
    maxBytes: number,
    tooLarge: 'FILE_TOO_LARGE' | 'CHUNK_TOO_LARGE',
  ): Promise<Measure> {
    const hash = createHash('sha256');
    let sizeBytes = 0;
    for await (const chunk of bytes) {
      sizeBytes += chunk.length;
      if (sizeBytes > maxBytes) throw new Refusal(tooLarge);
      hash.update(chunk);
    }
    return new Measure(sizeBytes, hash.digest('hex'));
  }

  /** @throws CHECKSUM_MISMATCH */
  requireSha256(announced: string | undefined): void {
    if (announced !== undefined && announced !== this.#sha256)
      throw new Refusal('CHECKSUM_MISMATCH', { detail: `Announced ${announced}, got ${this.#sha256}.` });
  }
}
