import { randomUUID } from 'node:crypto';
import { STATUS_CODES, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';

/** What was wrong with bytes that are no HTTP request, or not a whole one. */
export type ProtocolFault = 'malformed' | 'headers-too-large' | 'timeout';

/** What a fault is answered with. */
export interface ProtocolAnswer {
  readonly status: number;
  readonly contentType: string;
  readonly body: string;
  /** More response headers. */
  readonly headers?: Readonly<Record<string, string>>;
}

/**
 * Answers what never becomes a request (a head over 16 KB, broken framing, a body that is cut short) with a body in
 * the caller's shape and an `X-Request-Id`; Node's own answer has neither. Unknown expectations are ignored, as
 * RFC 9110 section 10.1.1 allows. Bytes behind a whole request are no part of it: it is answered as what it was, and
 * the connection ends there, as a fault in its place would say that nothing was done. To be called once for each server.
 *
 * @param describe the answer; it may log
 */
export function answerProtocolErrors(server: Server, describe: (fault: ProtocolFault, requestId: string) => ProtocolAnswer): void {
  const latest = new WeakMap<Duplex, Exchange>();
  server.prependListener('request', (req, res) => void latest.set(req.socket, { req, res }));
  server.on('checkExpectation', (req, res) => server.emit('request', req, res));
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    const exchange = latest.get(socket);
    if (error.code !== 'ECONNRESET' && socket.writable && exchange && isUnderWay(exchange)) return endAfter(exchange, socket);
    // An answer that has begun would be mixed with this one, and a client that has gone reads none.
    if (error.code === 'ECONNRESET' || !socket.writable || exchange?.res.headersSent) return void socket.destroy();
    const requestId = randomUUID();
    const { status, contentType, body, headers = {} } = describe(faultOf(error.code), requestId);
    socket.end(
      [
        `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
        `X-Request-Id: ${requestId}`,
        ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
        `Content-Type: ${contentType}`,
        `Content-Length: ${Buffer.byteLength(body)}`,
        'Cache-Control: no-store',
        'Connection: close',
        '',
        body,
      ].join('\r\n'),
    );
  });
}

/** A request and its answer. */
interface Exchange {
  readonly req: IncomingMessage;
  readonly res: ServerResponse;
}

/** Whether a request has come whole and its answer is still to be sent, or to be sent to its end. */
function isUnderWay({ req, res }: Exchange): boolean {
  return req.complete && !res.writableFinished;
}

function endAfter({ res }: Exchange, socket: Duplex): void {
  if (!res.headersSent) res.setHeader('Connection', 'close');
  res.once('finish', () => socket.end());
}

function faultOf(code: string | undefined): ProtocolFault {
  if (code === 'HPE_HEADER_OVERFLOW') return 'headers-too-large';
  return code === 'ERR_HTTP_REQUEST_TIMEOUT' ? 'timeout' : 'malformed';
}
