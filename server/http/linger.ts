import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

import { closeOwnSideOnly } from '#server/internals/node-24.ts';
import { hasBody, releaseMemory } from './body-chunks.ts';

/** How much of a rejected body is still received. */
export interface LingerLimits {
  /** Default 128 MiB. */
  readonly maxBytes?: number;
  /** From the connection's first rejected request. Default 10 s. */
  readonly maxMs?: number;
}

/** The rejected requests of one connection. */
interface Linger {
  readonly requests: Set<IncomingMessage>;
  readonly answers: ServerResponse[];
  discardedBytes: number;
  /** Lets Node close the connection as usual: at once if a response was sent. */
  end(): void;
}

const refused = new WeakSet<IncomingMessage>();
const lingers = new WeakMap<Socket, Linger>();

/**
 * Prepares the response to a request whose body was not read to the end. Call it before the response. It does nothing
 * if the body is complete, and nothing when called again.
 *
 * A client that is still sending does not read. If the server closed the connection now, the client's next packet would
 * cause a reset, and the reset can destroy the response on its way. So the server closes in two steps (RFC 9112 section
 * 9.6). It sends the response with `Connection: close` and closes its own side. Then it discards what the client still
 * sends until the body ends or a limit is reached, and destroys the socket.
 *
 * Any other reader of the body is detached.
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
    releaseMemory(chunk);
    if (linger.discardedBytes > maxBytes) socket.destroy();
  };

  // A reader that stopped early leaves its listener behind, and with it the body does not flow.
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

/** One timer and one listener serve a connection: a client may pipeline hundreds of requests that are rejected. */
function begin(socket: Socket, maxMs: number): Linger {
  const closeBothSides = closeOwnSideOnly(socket);
  const timer = setTimeout(() => socket.destroy(), maxMs);
  const requests = new Set<IncomingMessage>();
  // Node forgets a request once its response is sent, and would never tell those who wait for its end, such as timers.
  const onClose = (): void => {
    clearTimeout(timer);
    for (const req of requests) req.destroy();
  };
  socket.once('close', onClose);
  const linger: Linger = {
    requests,
    answers: [],
    discardedBytes: 0,
    end() {
      clearTimeout(timer);
      socket.off('close', onClose);
      lingers.delete(socket);
      closeBothSides();
      if (linger.answers.some((res) => res.writableFinished)) socket.destroySoon();
    },
  };
  lingers.set(socket, linger);
  return linger;
}
