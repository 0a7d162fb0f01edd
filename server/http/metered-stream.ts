import { Readable } from 'node:stream';

/** Where the bytes of a stream are taken from before they leave it. */
export interface Meter {
  /** How many may leave at first. */
  readonly firstBytes: number;
  /** Returns how many more may leave, at least one. When it throws, the stream fails with its error. */
  takeMore(): Promise<number>;
  /**
   * Called once, when the stream has closed.
   *
   * @param unsentBytes those that were taken and have not left
   * @param isBegun whether a byte has left, or the end of a stream without any
   */
  onClose(unsentBytes: number, isBegun: boolean): void;
}

/** Wraps a stream so that no byte leaves it that was not taken before. */
export function meteredStream(source: Readable, { firstBytes, takeMore, onClose }: Meter): Readable {
  const chunks = source[Symbol.asyncIterator]() as AsyncIterator<Buffer>;
  let waiting: Buffer = Buffer.alloc(0);
  let heldBytes = firstBytes;
  let passedBytes = 0;
  let isEnded = false;
  let working: Promise<void> = Promise.resolve();

  async function next(): Promise<Buffer | null> {
    while (waiting.length === 0) {
      const { value, done } = await chunks.next();
      if (done) return null;
      waiting = value;
    }
    if (heldBytes === 0) heldBytes = await takeMore();
    const part = waiting.subarray(0, heldBytes);
    waiting = waiting.subarray(part.length);
    heldBytes -= part.length;
    passedBytes += part.length;
    return part;
  }

  function passed(stream: Readable, chunk: Buffer | null): void {
    if (!stream.destroyed) {
      isEnded = chunk === null;
      stream.push(chunk);
    } else if (chunk) {
      heldBytes += chunk.length;
      passedBytes -= chunk.length;
    }
  }

  return new Readable({
    // Bytes that wait in here would count as sent.
    highWaterMark: 0,
    read() {
      working = next().then(
        (chunk) => passed(this, chunk),
        (error: Error) => void this.destroy(error),
      );
    },
    destroy(error, done) {
      source.destroy();
      // What is being taken at this moment is given back as well.
      void working.then(() => onClose(heldBytes + this.readableLength, passedBytes > this.readableLength || isEnded));
      done(error);
    },
  });
}
