import type { Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

import { keepHalfOpen } from '#server/internals/node-24.ts';

/**
 * When to probe a client that may have disconnected, in milliseconds from the end of its side. The network reports the
 * loss of a probe only when the next one is sent: with a TCP proxy between, first to the proxy and then to us.
 */
const askAfterMs: readonly number[] = [250, 350, 450];

/**
 * Serves clients that close their side of the connection after a request, as `nc -N` does. By default, Node closes the
 * other side too, so a response that is not sent at once is lost.
 *
 * A client that has disconnected looks the same. So a response that takes longer is announced with `102 Processing`. A
 * waiting client skips it: "A client MUST be able to parse one or more 1xx responses received prior to a final
 * response" (RFC 9110 section 15.2). For a client that is gone, the connection breaks. HTTP/1.0 has no such response.
 * Call it once for each server.
 */
export function allowHalfClose(server: Server): void {
  keepHalfOpen(server);
  const unanswered = new WeakMap<Socket, Set<ServerResponse>>();
  server.on('connection', (socket) => {
    const waiting = new Set<ServerResponse>();
    unanswered.set(socket, waiting);
    socket.once('end', () => {
      refuseCutBody(server, socket, waiting);
      for (const ms of askAfterMs) setTimeout(ask, ms, socket, waiting).unref();
    });
  });
  server.prependListener('request', (req, res) => {
    const waiting = unanswered.get(req.socket);
    waiting?.add(res);
    res.once('close', () => waiting?.delete(res));
  });
}

/**
 * Reports a body that ends too soon. Node reports it, except for a request with `Upgrade`: its parser takes the end of
 * such a connection for the end of another protocol, and the request would wait for its body.
 */
function refuseCutBody(server: Server, socket: Socket, waiting: ReadonlySet<ServerResponse>): void {
  const isCut = [...waiting].some(({ req }) => !req.complete);
  if (!isCut || socket.writableEnded || socket.destroyed) return;
  const error = Object.assign(new Error('The body ends too soon.'), { code: 'HPE_INVALID_EOF_STATE' });
  if (!server.emit('clientError', error, socket)) socket.destroy();
}

function ask(socket: Socket, waiting: ReadonlySet<ServerResponse>): void {
  const [next] = waiting;
  if (next && !next.headersSent && socket.writable && next.req.httpVersion !== '1.0') next.writeProcessing();
}
