const gatheredBytes = 65_536;
const minAloneBytes = 4096;
const nothing: readonly Buffer[] = [];

/** Copies small pieces together, because each piece that is passed on costs as much as a large one. */
export class Gathered {
  #buffer: Buffer | undefined;
  #filledBytes = 0;

  /** Takes a piece, and returns the pieces to pass on now. */
  add(piece: Buffer): readonly Buffer[] {
    if (piece.length >= minAloneBytes) return [...this.flush(), piece];
    const ready = this.#filledBytes + piece.length > gatheredBytes ? this.flush() : nothing;
    this.#buffer ??= Buffer.allocUnsafe(gatheredBytes);
    this.#filledBytes += piece.copy(this.#buffer, this.#filledBytes);
    return ready;
  }

  /** Returns what was gathered, and begins anew. */
  flush(): readonly Buffer[] {
    if (!this.#buffer) return nothing;
    const gathered = this.#buffer.subarray(0, this.#filledBytes);
    this.#buffer = undefined;
    this.#filledBytes = 0;
    return [gathered];
  }
}
