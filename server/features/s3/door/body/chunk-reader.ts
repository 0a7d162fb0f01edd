import { S3Refusal } from '../../s3-refusal.ts';

const maxLineBytes = 4096;

/** Reads lines and runs of bytes from a body, only as far as it must. It never waits for bytes that have arrived. */
export class ChunkReader {
  readonly #source: AsyncIterator<Buffer>;
  #buffer: Buffer = Buffer.alloc(0);
  /** Index of the first unread byte of the buffer. */
  #at = 0;

  constructor(source: AsyncIterable<Buffer>) {
    this.#source = source[Symbol.asyncIterator]();
  }

  /** Returns the text up to the next CRLF, or undefined when the CRLF has not arrived yet. */
  lineAtHand(): string | undefined {
    const end = this.#buffer.indexOf('\r\n', this.#at, 'latin1');
    if (end === -1) return undefined;
    const line = this.#buffer.toString('latin1', this.#at, end);
    this.#at = end + 2;
    return line;
  }

  /** Returns the text up to the next CRLF. @throws IncompleteBody, InvalidRequest for a line that is too long */
  async line(): Promise<string> {
    const line = await this.lastLine();
    if (line === undefined) throw new S3Refusal('IncompleteBody');
    return line;
  }

  /** Returns the same, or undefined when the body has ended. */
  async lastLine(): Promise<string | undefined> {
    for (;;) {
      const line = this.lineAtHand();
      if (line !== undefined) return line;
      if (this.#restBytes > maxLineBytes)
        throw new S3Refusal('InvalidRequest', {
          message: `A line between the chunks of the body is longer than ${maxLineBytes} bytes.`,
        });
      if (await this.#more()) continue;
      if (this.#restBytes > 0) throw new S3Refusal('IncompleteBody');
      return undefined;
    }
  }

  /** Returns at most `maxBytes` of the bytes that have arrived, which may be none. */
  bytesAtHand(maxBytes: number): Buffer {
    const piece = this.#buffer.subarray(this.#at, this.#at + maxBytes);
    this.#at += piece.length;
    return piece;
  }

  /** Returns the same, and at least one byte. @throws IncompleteBody when the body has ended */
  async bytes(maxBytes: number): Promise<Buffer> {
    while (this.#restBytes === 0) if (!(await this.#more())) throw new S3Refusal('IncompleteBody');
    return this.bytesAtHand(maxBytes);
  }

  /** Drops the rest of the body. @throws IncompleteBody when it is longer than `maxBytes` */
  async discardRest(maxBytes: number): Promise<void> {
    let passedBytes = 0;
    do {
      passedBytes += this.#restBytes;
      this.#at = this.#buffer.length;
      if (passedBytes > maxBytes) throw new S3Refusal('IncompleteBody');
    } while (await this.#more());
  }

  async #more(): Promise<boolean> {
    const rest = Buffer.from(this.#buffer.subarray(this.#at)); // copied, because the next chunk ends this one
    const { done, value } = await this.#source.next();
    this.#at = 0;
    this.#buffer = done ? rest : rest.length === 0 ? value : Buffer.concat([rest, value]);
    return !done;
  }

  get #restBytes(): number {
    return this.#buffer.length - this.#at;
  }
}
