import { Readable } from 'node:stream';

/** A byte budget for a stream. */
export interface Meter {
  /** Bytes that may leave at first. */
  readonly firstBytes: number;
  /** Returns how many more bytes may leave, at least one. If it throws, the stream fails with that error. */
  takeMore(): Promise<number>;
  /**
   * Called once, when the stream has closed.
   *
   * @param unsentBytes allowed bytes that did not leave
   * @param isBegun whether a byte has left, or the end of an empty stream
   */
  onClose(unsentBytes: number, isBegun: boolean): void;
}

/** Returns bytes that are in memory as a stream. A stream is returned as it is. */
export function asStream(source: Readable | Uint8Array): Readable {
  return source instanceof Uint8Array ? Readable.from([source]) : source;
}

/** Wraps a stream so that no byte leaves it before the meter allows it. */
export function meteredStream(source: Readable, { firstBytes, takeMore, onClose }: Meter): Readable {
  const chunks = source[Symbol.asyncIterator]() as AsyncIterator<Buffer>;
  let waiting: Buffer = Buffer.alloc(0);
  let budgetBytes = firstBytes;
  let passedBytes = 0;
  let isEnded = false;
  let working: Promise<void> = Promise.resolve();

  async function next(): Promise<Buffer | null> {
    while (waiting.length === 0) {
      const { value, done } = await chunks.next();
      if (done) return null;
      waiting = value;
    }
    if (budgetBytes === 0) budgetBytes = await takeMore();
    const part = waiting.subarray(0, budgetBytes);
    waiting = waiting.subarray(part.length);
    budgetBytes -= part.length;
    passedBytes += part.length;
    return part;
  }

  function passed(stream: Readable, chunk: Buffer | null): void {
    if (!stream.destroyed) {
      isEnded = chunk === null;
      stream.push(chunk);
    } else if (chunk) {
      budgetBytes += chunk.length;
      passedBytes -= chunk.length;
    }
  }

  return new Readable({
    // Bytes that wait in this buffer would count as sent.
    highWaterMark: 0,
    read() {
      working = next().then(
        (chunk) => passed(this, chunk),
        (error: Error) => void this.destroy(error),
      );
    },
    destroy(error, done) {
      source.destroy();
      // Waits for a call of takeMore(), so that its bytes are returned too.
      void working.then(() => onClose(budgetBytes + this.readableLength, passedBytes > this.readableLength || isEnded));
      done(error);
    },
  });
}
