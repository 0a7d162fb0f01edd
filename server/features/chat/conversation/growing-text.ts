/**
 * A text that grows by small pieces. Adding strings to one another would keep an object for each piece, which is
 * several times the text. Joining copies the text, so it waits for more pieces the longer the text is.
 */
export class GrowingText {
  #text = '';
  #pieces: string[] = [];
  #length = 0;

  add(piece: string): void {
    this.#length += piece.length;
    if (this.#pieces.push(piece) >= 32 + this.#text.length / 64) this.#join();
  }

  /** In UTF-16 code units. */
  get length(): number {
    return this.#length;
  }

  toString(): string {
    if (this.#pieces.length > 0) this.#join();
    return this.#text;
  }

  #join(): void {
    this.#text = [this.#text, ...this.#pieces].join('');
    this.#pieces = [];
  }
}
