import type { ServerResponse } from 'node:http';
import type { Readable } from 'node:stream';

/** The end of a response body. */
interface SentBytes {
  /** `aborted`: the client disconnected, or the signal fired. */
  readonly outcome: 'sent' | 'aborted';
  /** Bytes that were handed to the network. */
  readonly bytesSent: number;
}

/** Above this, copying the bytes into a text costs more than a second write. */
const maxTextBytes = 16_384;

/** Sends a few bytes that are in memory, and ends the response. */
export function sendAtOnce(
  bytes: Uint8Array,
  res: ServerResponse,
  signal: AbortSignal | undefined,
): Promise<SentBytes> {
  return new Promise((resolve) => {
    res.once('close', () => resolve({ outcome: 'aborted', bytesSent: 0 }));
    if (signal?.aborted) return void res.destroy();
    const sent = () => resolve({ outcome: 'sent', bytesSent: bytes.length });
    // Node writes a text together with the head, at half the cost of two writes. Its encoding keeps every byte.
    if (bytes.length <= maxTextBytes)
      res.end(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('latin1'), 'latin1', sent);
    else res.end(bytes, sent);
  });
}

interface StreamOptions {
  readonly signal: AbortSignal | undefined;
  /** Called with the sent bytes before an error is thrown. */
  readonly onCut?: (bytesSent: number) => void;
}

/** A stream that takes its chunks back once they are sent, and reads the next bytes into them. */
interface RecyclingStream extends Readable {
  recycle(chunk: Uint8Array): void;
}

/**
 * Sends `lengthBytes` bytes of a stream and ends the response, or closes the connection. It reads no faster than the
 * client does.
 *
 * @throws errors of the stream, and an Error when it has more or fewer bytes
 */
export async function sendStream(
  source: Readable,
  res: ServerResponse,
  lengthBytes: number,
  { signal, onCut }: StreamOptions,
): Promise<SentBytes> {
  const client = watchClient(source, res, signal);
  const recycle = 'recycle' in source ? (source as RecyclingStream).recycle.bind(source) : undefined;
  let bytesSent = 0;
  try {
    for await (const chunk of source as AsyncIterable<Uint8Array>) {
      if (bytesSent + chunk.length > lengthBytes) throw new Error(`More than the announced ${lengthBytes} bytes`);
      if (client.isGone()) break;
      bytesSent += chunk.length;
      // The callback comes when the system has copied the chunk.
      const isFull = !res.write(chunk, recycle && ((error) => error ?? recycle(chunk)));
      if (isFull && bytesSent < lengthBytes) await client.ready();
    }
    if (bytesSent < lengthBytes && !client.isGone())
      throw new Error(`Only ${bytesSent} of the announced ${lengthBytes} bytes`);
  } catch (error) {
    const isFault = !client.isGone();
    res.destroy();
    if (isFault) {
      onCut?.(bytesSent);
      throw error;
    }
  } finally {
    client.unwatch();
  }
  if (client.isGone()) return { outcome: 'aborted', bytesSent };
  return (await ended(res)) ? { outcome: 'sent', bytesSent } : { outcome: 'aborted', bytesSent };
}

interface Client {
  /** Whether it has disconnected, or the signal has fired. */
  isGone(): boolean;
  /** Resolves when it takes more bytes, or is gone. */
  ready(): Promise<void>;
  unwatch(): void;
}

/** Destroys the source when the client disconnects, and both when the signal fires. */
function watchClient(source: Readable, res: ServerResponse, signal: AbortSignal | undefined): Client {
  let isGone = false;
  let resume: (() => void) | undefined;
  const onDrain = () => resume?.();
  const onGone = () => {
    isGone = true;
    source.destroy();
    resume?.();
  };
  const onAbort = () => {
    res.destroy();
    onGone();
  };
  res.on('drain', onDrain);
  res.once('close', onGone);
  signal?.addEventListener('abort', onAbort);
  if (signal?.aborted) onAbort();
  return {
    isGone: () => isGone || res.destroyed,
    ready: () => (isGone ? Promise.resolve() : new Promise((resolve) => (resume = resolve))),
    unwatch() {
      res.off('drain', onDrain);
      res.off('close', onGone);
      signal?.removeEventListener('abort', onAbort);
    },
  };
}

/** Ends the response. Returns whether all of it was handed to the network. */
function ended(res: ServerResponse): Promise<boolean> {
  return new Promise((resolve) => {
    res.once('close', () => resolve(res.writableFinished));
    res.end(() => resolve(true));
  });
}
