const gatheredBytes = 65_536;
const minAloneBytes = 4096;
const nothing: readonly Buffer[] = [];

/** Copies small pieces together: each that goes on by itself costs what a large one does. */
export class Gathered {
  #buffer: Buffer | undefined;
  #filledBytes = 0;

  /** What is to go on now that this piece has come: nothing as long as it is little. */
  add(piece: Buffer): readonly Buffer[] {
    if (piece.length >= minAloneBytes) return [...this.flush(), piece];
    const ready = this.#filledBytes + piece.length > gatheredBytes ? this.flush() : nothing;
    this.#buffer ??= Buffer.allocUnsafe(gatheredBytes);
    this.#filledBytes += piece.copy(this.#buffer, this.#filledBytes);
    return ready;
  }

  /** What has been gathered. */
  flush(): readonly Buffer[] {
    if (!this.#buffer) return nothing;
    const gathered = this.#buffer.subarray(0, this.#filledBytes);
    this.#buffer = undefined;
    this.#filledBytes = 0;
    return [gathered];
  }
}
