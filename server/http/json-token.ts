/** The text of the string or number that is read, if its value is needed. */
export class JsonToken {
  readonly #longestName: number;
  readonly #onKept: (bytes: number) => void;
  #text = Buffer.allocUnsafeSlow(256);
  #bytes = 0;
  #isKept = false;
  #isName = false;

  /**
   * @param longestName bytes of the longest name that is kept, as it may be written
   * @param onKept called with the bytes of kept values, as they arrive
   */
  constructor(longestName: number, onKept: (bytes: number) => void) {
    this.#longestName = longestName;
    this.#onKept = onKept;
  }

  /** Whether it is the name of a member. */
  get isName(): boolean {
    return this.#isName;
  }

  get isKept(): boolean {
    return this.#isKept;
  }

  begin(isName: boolean, isKept: boolean): void {
    this.#isName = isName;
    this.#isKept = isKept;
    this.#bytes = 0;
  }

  add(byte: number): void {
    if (!this.#isKept) return;
    this.#grow(1);
    if (this.#isKept) this.#text[this.#bytes++] = byte;
  }

  addAll(piece: Uint8Array, from: number, until: number): void {
    if (!this.#isKept) return;
    this.#grow(until - from);
    if (!this.#isKept) return;
    this.#text.set(piece.subarray(from, until), this.#bytes);
    this.#bytes += until - from;
  }

  /** Returns the value of the kept text. */
  value(): unknown {
    return JSON.parse(this.#text.toString('utf8', 0, this.#bytes));
  }

  #grow(bytes: number): void {
    const size = this.#bytes + bytes;
    // A name that is longer than any that is kept is skipped.
    if (this.#isName) this.#isKept = size <= this.#longestName;
    else this.#onKept(bytes);
    if (!this.#isKept || size <= this.#text.length) return;
    const larger = Buffer.allocUnsafeSlow(Math.max(size, 2 * this.#text.length));
    larger.set(this.#text.subarray(0, this.#bytes));
    this.#text = larger;
  }
}
