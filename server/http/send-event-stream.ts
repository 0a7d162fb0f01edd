import type { IncomingMessage, ServerResponse } from 'node:http';

interface SendOptions {
  /** Returns the last event of a stream that throws; undefined to throw. Not called for a client that has gone. */
  readonly onError?: (error: unknown) => string | undefined;
  /** After how many milliseconds a reader that takes nothing is disconnected. */
  readonly longestStallMs?: number | undefined;
  /** Called with the sent bytes before an error is thrown. */
  readonly onCut?: (bytesSent: number) => void;
}

/**
 * Sends server-sent events. A slow reader holds up only its own stream: the next chunk is read when the socket has
 * taken the last one.
 *
 * @see https://html.spec.whatwg.org/multipage/server-sent-events.html
 * @param chunks whole events or comments. They must end when the client disconnects
 */
export async function sendEventStream(
  req: IncomingMessage,
  res: ServerResponse,
  chunks: AsyncIterable<string>,
  { onError, longestStallMs, onCut }: SendOptions = {},
): Promise<{ readonly bytesSent: number }> {
  res.setHeader('Content-Type', 'text/event-stream; charset=utf-8');
  res.setHeader('Cache-Control', 'no-store');
  // nginx would gather the events.
  res.setHeader('X-Accel-Buffering', 'no');
  res.flushHeaders();
  // Small events are sent at once.
  req.socket.setNoDelay(true);
  probeAtEnd(req, res);
  let bytesSent = 0;
  const send = (chunk: string): boolean => {
    bytesSent += Buffer.byteLength(chunk);
    return res.write(chunk);
  };
  try {
    for await (const chunk of chunks) {
      if (res.destroyed) break;
      if (!send(chunk)) await drained(res, longestStallMs);
    }
  } catch (error) {
    const last = res.destroyed ? '' : onError?.(error);
    if (last === undefined) {
      onCut?.(bytesSent);
      throw error;
    }
    if (last !== '') send(last);
  }
  res.end();
  return { bytesSent };
}

/** When to probe a client that has closed its side, in milliseconds from then. */
const probeAfterMs: readonly number[] = [0, 100, 300];

/**
 * Sends comments when the client closes its side of the connection. One that waits skips them. For one that is gone,
 * the connection breaks, which ends the stream.
 */
function probeAtEnd(req: IncomingMessage, res: ServerResponse): void {
  const probe = (): void => {
    if (res.writable) res.write(':\n\n');
  };
  const onEnd = (): void => {
    for (const ms of probeAfterMs) setTimeout(probe, ms).unref();
  };
  req.socket.once('end', onEnd);
  res.once('close', () => req.socket.off('end', onEnd));
}

function drained(res: ServerResponse, longestStallMs?: number): Promise<void> {
  return new Promise((resolve) => {
    const timer = longestStallMs === undefined ? undefined : setTimeout(() => res.destroy(), longestStallMs);
    const done = (): void => {
      clearTimeout(timer);
      res.off('drain', done).off('close', done);
      resolve();
    };
    res.once('drain', done).once('close', done);
  });
}
