import type { IncomingMessage, Server, ServerResponse } from 'node:http';

/** Requests whose client waits for a `100 Continue`, and the response that can send it. */
const waiting = new WeakMap<IncomingMessage, ServerResponse>();

/**
 * Passes a request with `Expect: 100-continue` (RFC 9110 section 10.1.1) to the request listeners before its body is
 * requested. By default, Node sends the 100 at once, and a client learns only after 100 MB that it has no permission.
 * Call it once for each server. From then on, readers of a body must call `readyForBody()`.
 */
export function acceptExpectations(server: Server): void {
  server.on('checkContinue', (req, res) => {
    waiting.set(req, res);
    server.emit('request', req, res);
  });
}

/**
 * Sends the `100 Continue` if the client waits for one. Call it before reading a body. The readers in this folder do.
 * Further calls do nothing, and neither does one after the response has begun.
 */
export function readyForBody(req: IncomingMessage): void {
  const res = waiting.get(req);
  waiting.delete(req);
  if (res !== undefined && !res.headersSent) res.writeContinue();
}
