/**
 * What Node 24 does without saying so in its documentation. A newer Node may change each of these, and
 * `test/internals/node-24.test.ts` notices.
 */
import type { IncomingMessage, Server } from 'node:http';
import type { Socket } from 'node:net';
import { parse } from 'node:url';

/** Stands between the parser of HTTP and the reader of a body. */
interface BodyGate {
  /** Called for each piece that the parser passes on while it may read. Returns whether it may read on. */
  received(): boolean;
  /** Called when the reader wants more. `read` lets the parser read on. */
  wanted(read: () => void): void;
}

/**
 * Decides when Node reads on from the socket of a request.
 *
 * Why: `pause()` takes effect only after the packets that libuv has read. So Node would handle up to 32 packets of 64
 * KiB in one turn of the event loop, each with ten thousand chunks. With this it stops after one.
 *
 * What would break: Node's parser calls `push()` of the request for each piece, and stops reading from the socket when
 * that returns false. It starts again when the stream calls `_read()`.
 */
export function gateBody(req: IncomingMessage, gate: BodyGate): void {
  const push = req.push.bind(req);
  const read = req._read.bind(req);
  req.push = (piece, encoding) => push(piece, encoding) && gate.received();
  req._read = (size) => gate.wanted(() => read(size));
}

/**
 * Keeps the server's side of a connection open after the client has closed its own.
 *
 * Why: Node closes both sides then, so a response that is not sent at once is lost. `allowHalfOpen` of `node:net`
 * cannot be set for servers of HTTP.
 *
 * What would break: the switch is neither documented nor in the types.
 */
export function keepHalfOpen(server: Server): void {
  (server as Server & { httpAllowHalfOpen: boolean }).httpAllowHalfOpen = true;
}

/**
 * Makes Node close only the server's side of a connection after its last response. Returns a function that ends
 * this.
 *
 * Why: a client that is still sending would receive a reset, which can destroy the response on its way. Node has no
 * setting for it.
 *
 * What would break: Node calls `destroySoon()` of the socket after a response with `Connection: close`.
 */
export function closeOwnSideOnly(socket: Socket): () => void {
  const destroySoon = socket.destroySoon.bind(socket);
  socket.destroySoon = () => void socket.end();
  return () => void (socket.destroySoon = destroySoon);
}

/**
 * Lets Node warn of `url.parse()` once, unheard, because a later call is then faster.
 *
 * Why: express-openapi-validator calls it for each request. Node warns of it once, but never for calls from packages.
 * So it would look through the stack at each of those calls, which costs 20 µs per request.
 *
 * What would break: nothing but the time.
 */
export function warnOfUrlParse(): void {
  const { noDeprecation } = process;
  process.noDeprecation = true;
  parse('/');
  process.noDeprecation = noDeprecation ?? false;
}
