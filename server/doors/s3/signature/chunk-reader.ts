import { S3Refusal } from '#server/domain/s3/s3-refusal.ts';

const maxLineBytes = 4096;

/** Reads lines and runs of bytes from a body in chunks, holding no more of it than it must. */
export class ChunkReader {
  readonly #source: AsyncIterator<Buffer>;
  #rest: Buffer = Buffer.alloc(0);

  constructor(source: AsyncIterable<Buffer>) {
    this.#source = source[Symbol.asyncIterator]();
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
      const end = this.#rest.indexOf('\r\n');
      if (end !== -1) {
        const line = this.#rest.toString('latin1', 0, end);
        this.#rest = this.#rest.subarray(end + 2);
        return line;
      }
      if (this.#rest.length > maxLineBytes) throw new S3Refusal('InvalidRequest', { message: 'A line between the chunks of the body is too long.' });
      if (!(await this.#more())) {
        if (this.#rest.length > 0) throw new S3Refusal('IncompleteBody');
        return undefined;
      }
    }
  }

  /** The next bytes, piece by piece. @throws IncompleteBody when there are fewer */
  async *take(sizeBytes: number): AsyncGenerator<Buffer> {
    let left = sizeBytes;
    while (left > 0) {
      if (this.#rest.length === 0 && !(await this.#more())) throw new S3Refusal('IncompleteBody');
      const piece = this.#rest.subarray(0, left);
      this.#rest = this.#rest.subarray(piece.length);
      left -= piece.length;
      if (piece.length > 0) yield piece;
    }
  }

  /** The CRLF behind a chunk's bytes. */
  async lineEnd(): Promise<void> {
    if ((await this.line()) !== '') throw new S3Refusal('IncompleteBody');
  }

  /** Passes over what follows. @throws IncompleteBody when it is more than this */
  async discardRest(maxBytes: number): Promise<void> {
    let passedBytes = 0;
    do {
      passedBytes += this.#rest.length;
      this.#rest = Buffer.alloc(0);
      if (passedBytes > maxBytes) throw new S3Refusal('IncompleteBody');
    } while (await this.#more());
  }

  async #more(): Promise<boolean> {
    const { done, value } = await this.#source.next();
    if (done) return false;
    this.#rest = this.#rest.length === 0 ? value : Buffer.concat([this.#rest, value]);
    return true;
  }
}
