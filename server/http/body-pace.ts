import type { IncomingMessage, Server } from 'node:http';

import { hasBody } from './body-chunks.ts';

/** The slowest allowed body: it brings `minBytes` in each span of `everyMs` until it is complete. */
export interface BodyPace {
  readonly minBytes: number;
  readonly everyMs: number;
}

/**
 * Closes connections whose request body arrives more slowly. An idle timeout restarts with each byte, so a client could
 * hold its slot by sending one byte now and then. While received bytes wait to be read, the server is the slow side,
 * and the connection stays open. Call it once for each server.
 */
export function requireBodyPace(server: Server, pace: BodyPace): void {
  server.prependListener('request', (req) => {
    if (hasBody(req)) watchPace(req, pace);
  });
}

/** Closes the connection if the rest of the body arrives more slowly. Returns the function that ends the watch. */
export function watchPace(req: IncomingMessage, { minBytes, everyMs }: BodyPace): () => void {
  const { socket } = req;
  let seenBytes = socket.bytesRead;
  let wasAwaited = true;
  const timer = setInterval(() => {
    if (req.complete || socket.destroyed) return clearInterval(timer);
    const isAwaited = req.readableLength === 0;
    // No response is possible, because a reader still holds the body.
    if (socket.bytesRead - seenBytes < minBytes && wasAwaited && isAwaited) socket.destroy();
    seenBytes = socket.bytesRead;
    wasAwaited = isAwaited;
  }, everyMs);
  timer.unref();
  const end = () => clearInterval(timer);
  req.once('close', end);
  return end;
}
