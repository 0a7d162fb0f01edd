import { S3Refusal } from '#server/domain/s3/s3-refusal.ts';

const maxLineBytes = 4096;

/**
 * Reads lines and runs of bytes from a body in chunks, holding no more of it than it must. What is there already is
 * read without waiting.
 */
export class ChunkReader {
  readonly #source: AsyncIterator<Buffer>;
  #buffer: Buffer = Buffer.alloc(0);
  /** How far the buffer was read. */
  #at = 0;

  constructor(source: AsyncIterable<Buffer>) {
    this.#source = source[Symbol.asyncIterator]();
  }

  /** Up to the next CRLF; undefined where that is not there yet. */
  lineAtHand(): string | undefined {
    const end = this.#buffer.indexOf('\r\n', this.#at, 'latin1');
    if (end === -1) return undefined;
    const line = this.#buffer.toString('latin1', this.#at, end);
    this.#at = end + 2;
    return line;
  }

  /** Up to the next CRLF. @throws IncompleteBody, InvalidRequest when it is too long */
  async line(): Promise<string> {
    const line = await this.lastLine();
    if (line === undefined) throw new S3Refusal('IncompleteBody');
    return line;
  }

  /** The same; undefined where the body has ended. */
  async lastLine(): Promise<string | undefined> {
    for (;;) {
      const line = this.lineAtHand();
      if (line !== undefined) return line;
      if (this.#restBytes > maxLineBytes)
        throw new S3Refusal('InvalidRequest', { message: 'A line between the chunks of the body is too long.' });
      if (!(await this.#more())) {
        if (this.#restBytes > 0) throw new S3Refusal('IncompleteBody');
        return undefined;
      }
    }
  }

  /** At most so many of the next bytes; empty where none are there yet. */
  bytesAtHand(maxBytes: number): Buffer {
    const piece = this.#buffer.subarray(this.#at, this.#at + maxBytes);
    this.#at += piece.length;
    return piece;
  }

  /** The same, of which there is at least one. @throws IncompleteBody where the body has ended */
  async bytes(maxBytes: number): Promise<Buffer> {
    while (this.#restBytes === 0) if (!(await this.#more())) throw new S3Refusal('IncompleteBody');
    return this.bytesAtHand(maxBytes);
  }

  /** Passes over what follows. @throws IncompleteBody when it is more than this */
  async discardRest(maxBytes: number): Promise<void> {
    let passedBytes = 0;
    do {
      passedBytes += this.#restBytes;
      this.#at = this.#buffer.length;
      if (passedBytes > maxBytes) throw new S3Refusal('IncompleteBody');
    } while (await this.#more());
  }

  async #more(): Promise<boolean> {
    const { done, value } = await this.#source.next();
    if (done) return false;
    this.#buffer = this.#restBytes === 0 ? value : Buffer.concat([this.#buffer.subarray(this.#at), value]);
    this.#at = 0;
    return true;
  }

  get #restBytes(): number {
    return this.#buffer.length - this.#at;
  }
}
