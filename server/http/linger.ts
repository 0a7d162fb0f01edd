import type { IncomingMessage, ServerResponse } from 'node:http';

import { hasBody } from './body-chunks.ts';

/** How much of a refused body is still taken in. */
export interface LingerLimits {
  /** Default 128 MiB. */
  readonly maxBytes?: number;
  /** Counted from the refusal on. Default 10 s. */
  readonly maxMs?: number;
}

const lingering = new WeakSet<IncomingMessage>();

/**
 * To be called before a request is answered whose body was not read to the end. Does nothing when there is no more
 * body to come; may be called twice.
 *
 * A client that is still sending does not read, and if the server closed the connection now, the network would answer
 * its next packet with a reset that can destroy the answer on its way. So the server closes in two steps (RFC 9112
 * section 9.6): the answer goes out with `Connection: close`, its own side of the connection is closed, and what the
 * client still sends is thrown away until it ends, or until a limit is reached. Then the socket is destroyed.
 *
 * Whoever was reading the body loses it.
 */
export function refuseRemainingBody(
  req: IncomingMessage,
  res: ServerResponse,
  { maxBytes = 128 * 1024 * 1024, maxMs = 10_000 }: LingerLimits = {},
): void {
  if (lingering.has(req) || !hasBody(req) || req.complete || req.socket.destroyed) return;
  lingering.add(req);
  if (!res.headersSent) res.setHeader('Connection', 'close');

  const { socket } = req;
  const destroySoon = socket.destroySoon.bind(socket);
  // Node calls this when an answer with "Connection: close" is out. It would close both directions.
  socket.destroySoon = () => void socket.end();

  let discardedBytes = 0;
  const discard = (chunk: Buffer): void => {
    discardedBytes += chunk.length;
    if (discardedBytes > maxBytes) socket.destroy();
  };
  const timer = setTimeout(() => socket.destroy(), maxMs);
  socket.once('close', () => clearTimeout(timer));

  // A reader that stopped midway leaves its listener behind, and as long as there is one the body does not flow.
  req.removeAllListeners('readable');
  req.removeAllListeners('data');
  req.on('data', discard);
  req.once('error', () => {});
  req.once('end', () => {
    clearTimeout(timer);
    socket.destroySoon = destroySoon;
    if (res.writableFinished) destroySoon();
  });
  req.resume();
}
