import type { Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/**
 * When a client that may have gone is asked, counted from the end of its side. The network tells of the first only with
 * the second.
 */
const askAfterMs: readonly number[] = [250, 350];

/**
 * Answers clients that close their side of the connection behind a request, as `nc -N` does. Node closes the other side
 * as well, so whatever takes a turn of the event loop is never answered.
 *
 * A client that has gone altogether looks the same. So an answer that is not there after a moment is announced with
 * `102 Processing`: a client that waits reads over it ("A client MUST be able to parse one or more 1xx responses
 * received prior to a final response", RFC 9110 section 15.2), and for one that has gone the connection breaks.
 * HTTP/1.0 knows no such answer. To be called once for each server.
 */
export function allowHalfClose(server: Server): void {
  // Node's own switch, which its types do not have.
  (server as Server & { httpAllowHalfOpen: boolean }).httpAllowHalfOpen = true;
  const unanswered = new WeakMap<Socket, Set<ServerResponse>>();
  server.on('connection', (socket) => {
    const waiting = new Set<ServerResponse>();
    unanswered.set(socket, waiting);
    socket.once('end', () => {
      for (const ms of askAfterMs) setTimeout(ask, ms, socket, waiting).unref();
    });
  });
  server.prependListener('request', (req, res) => {
    const waiting = unanswered.get(req.socket);
    waiting?.add(res);
    res.once('close', () => waiting?.delete(res));
  });
}

function ask(socket: Socket, waiting: ReadonlySet<ServerResponse>): void {
  const [next] = waiting;
  if (next && !next.headersSent && socket.writable && next.req.httpVersion !== '1.0') next.writeProcessing();
}
