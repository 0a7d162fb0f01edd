import { Readable } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';

/** So long an answer that was cut waits for its client to take what is on the way and to leave by itself. */
const graceMs = 5000;

/** A stream whose end may be brought forward while it flows. */
export interface CutStream {
  readonly stream: Readable;
  /** Bytes that have left it. */
  sentBytes(): number;
  /** No more than so many bytes leave it; what has left already stays sent. */
  cutAt(bytes: number): void;
}

/**
 * Wraps the bytes of an answer that has announced `lengthBytes`. When they are cut short the connection is closed, since a
 * client takes a short answer for a whole one: by the client, which may be content with what it has, or after a while by
 * aborting `stop`.
 *
 * @param ended called once, with the bytes that have left it and whether these are all that was announced
 * @param waitsMs how long its client is waited for
 */
export function cutStream(source: Readable, lengthBytes: number, stop: AbortController, ended: (sentBytes: number, isComplete: boolean) => void, waitsMs = graceMs): CutStream {
  const chunks = source[Symbol.asyncIterator]() as AsyncIterator<Buffer>;
  const closed = new AbortController();
  let limit = lengthBytes;
  let sent = 0;

  /** Null at the end. */
  async function next(): Promise<Buffer | null> {
    if (sent < limit) {
      const { value, done } = await chunks.next();
      if (done) return null;
      const part = value.subarray(0, Math.max(0, limit - sent));
      sent += part.length;
      if (part.length > 0) return part;
    }
    if (limit === lengthBytes) return null;
    await pause(waitsMs, undefined, { signal: closed.signal, ref: false }).catch(() => {});
    const reason = new Error('Another answer sends the rest.');
    if (!closed.signal.aborted) stop.abort(reason);
    throw reason;
  }

  const stream = new Readable({
    read() {
      next().then(
        (chunk) => void this.push(chunk),
        (error: Error) => void this.destroy(error),
      );
    },
    destroy(error, done) {
      closed.abort();
      source.destroy();
      ended(sent, sent === lengthBytes);
      done(error);
    },
  });
  return { stream, sentBytes: () => sent, cutAt: (bytes) => void (limit = Math.min(limit, bytes)) };
}
