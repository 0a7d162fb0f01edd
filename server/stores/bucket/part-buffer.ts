import { createHash, type Hash } from 'node:crypto';

import type { BufferBudget } from './buffer-budget.ts';

/** Memory is taken in pieces of these sizes, so that a slow upload holds little more than what has arrived. */
const [firstPieceBytes, pieceBytes] = [64 * 1024, 256 * 1024];

/** The bytes of one request to a bucket, gathered from chunks. They can be sent more than once. */
export class PartBuffer implements Disposable {
  readonly #budget: BufferBudget;
  readonly #pieces: Buffer[] = [];
  readonly #md5: Hash = createHash('md5');
  /** Of the last piece. */
  #used = 0;
  #takenBytes = 0;
  sizeBytes = 0;

  constructor(budget: BufferBudget) {
    this.#budget = budget;
  }

  /**
   * Copies bytes into the buffer, because a source may use its chunk again.
   *
   * @throws {BlobStoreUnavailable} when there is no memory in time
   */
  async add(bytes: Uint8Array, signal?: AbortSignal): Promise<void> {
    for (let rest = bytes; rest.byteLength > 0;) {
      const piece = await this.#pieceWithSpace(signal);
      const taken = rest.subarray(0, piece.byteLength - this.#used);
      piece.set(taken, this.#used);
      this.#md5.update(taken);
      this.#used += taken.byteLength;
      this.sizeBytes += taken.byteLength;
      rest = rest.subarray(taken.byteLength);
    }
  }

  /** Returns the MD5 in hex. Call it once, after the last `add()`. */
  md5(): string {
    return this.#md5.digest('hex');
  }

  /** The bytes, in one piece if there is only one. */
  get body(): Uint8Array | Iterable<Uint8Array> {
    const last = this.#pieces.at(-1)?.subarray(0, this.#used);
    if (last === undefined) return new Uint8Array();
    return this.#pieces.length === 1 ? last : [...this.#pieces.slice(0, -1), last];
  }

  /** Gives the memory back. Call it when the bytes are no longer sent. */
  [Symbol.dispose](): void {
    this.#pieces.length = 0;
    this.#budget.give(this.#takenBytes, this);
    this.#takenBytes = 0;
  }

  async #pieceWithSpace(signal: AbortSignal | undefined): Promise<Buffer> {
    const last = this.#pieces.at(-1);
    if (last !== undefined && this.#used < last.byteLength) return last;
    const bytes = last === undefined ? firstPieceBytes : pieceBytes;
    await this.#budget.take(bytes, this, signal);
    this.#takenBytes += bytes;
    const piece = Buffer.allocUnsafeSlow(bytes);
    this.#pieces.push(piece);
    this.#used = 0;
    return piece;
  }
}
