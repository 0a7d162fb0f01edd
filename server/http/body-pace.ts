import type { Server } from 'node:http';

import { hasBody } from './body-chunks.ts';

/** How fast a body has to come: at least so many bytes in each span of time, until it is whole. */
export interface BodyPace {
  readonly minBytes: number;
  readonly everyMs: number;
}

/**
 * Closes connections whose request body comes more slowly. A timeout of silence begins anew with each byte, so that a
 * client that sends one now and then would hold its place for as long as it likes. While bytes wait to be read, it is
 * the server that is slow, and nobody is cut off. To be called once for each server.
 */
export function requireBodyPace(server: Server, { minBytes, everyMs }: BodyPace): void {
  server.prependListener('request', (req) => {
    if (!hasBody(req)) return;
    const { socket } = req;
    let seenBytes = socket.bytesRead;
    let wasAwaited = true;
    const timer = setInterval(() => {
      if (req.complete || socket.destroyed) return clearInterval(timer);
      const isAwaited = req.readableLength === 0;
      // Nothing can be answered: whoever reads the body still holds it.
      if (socket.bytesRead - seenBytes < minBytes && wasAwaited && isAwaited) socket.destroy();
      seenBytes = socket.bytesRead;
      wasAwaited = isAwaited;
    }, everyMs);
    timer.unref();
    req.once('close', () => clearInterval(timer));
  });
}
