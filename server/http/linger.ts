import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

import { hasBody } from './body-chunks.ts';

/** How much of a refused body is still taken in. */
export interface LingerLimits {
  /** Default 128 MiB. */
  readonly maxBytes?: number;
  /** Counted from the connection's first refusal on. Default 10 s. */
  readonly maxMs?: number;
}

/** Requests that are refused, on one connection. */
interface Linger {
  readonly requests: Set<IncomingMessage>;
  readonly answers: ServerResponse[];
  discardedBytes: number;
  /** The connection is closed as Node closes it, at once where an answer is out. */
  end(): void;
}

const refused = new WeakSet<IncomingMessage>();
const lingers = new WeakMap<Socket, Linger>();

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
  if (refused.has(req) || !hasBody(req) || req.complete || req.socket.destroyed) return;
  refused.add(req);
  if (!res.headersSent) res.setHeader('Connection', 'close');

  const { socket } = req;
  const linger = lingers.get(socket) ?? begin(socket, maxMs);
  linger.requests.add(req);
  linger.answers.push(res);
  const discard = (chunk: Buffer): void => {
    linger.discardedBytes += chunk.length;
    if (linger.discardedBytes > maxBytes) socket.destroy();
  };

  // A reader that stopped midway leaves its listener behind, and as long as there is one the body does not flow.
  req.removeAllListeners('readable');
  req.removeAllListeners('data');
  req.on('data', discard);
  req.once('error', () => {});
  req.once('end', () => {
    linger.requests.delete(req);
    if (linger.requests.size === 0) linger.end();
  });
  req.resume();
}

/**
 * One timer and one listener for a connection: a client may send hundreds of requests ahead, each of which is refused.
 */
function begin(socket: Socket, maxMs: number): Linger {
  const destroySoon = socket.destroySoon.bind(socket);
  // Node calls this when an answer with "Connection: close" is out. It would close both directions.
  socket.destroySoon = () => void socket.end();
  const timer = setTimeout(() => socket.destroy(), maxMs);
  const stopTimer = (): void => clearTimeout(timer);
  socket.once('close', stopTimer);
  const linger: Linger = {
    requests: new Set(),
    answers: [],
    discardedBytes: 0,
    end() {
      stopTimer();
      socket.off('close', stopTimer);
      lingers.delete(socket);
      socket.destroySoon = destroySoon;
      if (linger.answers.some((res) => res.writableFinished)) destroySoon();
    },
  };
  lingers.set(socket, linger);
  return linger;
}
