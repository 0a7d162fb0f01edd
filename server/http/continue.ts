import type { IncomingMessage, Server, ServerResponse } from 'node:http';

/** Requests whose client waits for a `100 Continue`, with the response that can send it. */
const waiting = new WeakMap<IncomingMessage, ServerResponse>();

/**
 * Lets a server's request listeners see a request with `Expect: 100-continue` (RFC 9110 section 10.1.1) before its body
 * was asked for. Node's own default sends the 100 at once, and a client with 100 MB then learns only after them that
 * it has no permission. Call it once for each server; from then on whoever reads a body must ask for it.
 */
export function acceptExpectations(server: Server): void {
  server.on('checkContinue', (req, res) => {
    waiting.set(req, res);
    server.emit('request', req, res);
  });
}

/**
 * Sends the `100 Continue` if the client waits for one; to be called when the body is about to be read. Everything
 * in this folder that reads a body does so itself. May be called often and for any request: one 100 is sent at most,
 * and none once an answer has begun.
 */
export function readyForBody(req: IncomingMessage): void {
  const res = waiting.get(req);
  waiting.delete(req);
  if (res !== undefined && !res.headersSent) res.writeContinue();
}
