import { randomUUID } from 'node:crypto';
import { STATUS_CODES, type IncomingMessage, type RequestListener, type Server, type ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';

import { refuseRemainingBody } from './linger.ts';

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

/** What is known of a fault. */
export interface ProtocolError {
  readonly fault: ProtocolFault;
  /** The id under which it is answered. */
  readonly requestId: string;
  /** The target of the request line as it came; undefined where that has not come, or not in one piece with the fault. */
  readonly target: string | undefined;
}

/** The answer to a fault; it may log. */
export type DescribeFault = (error: ProtocolError) => ProtocolAnswer;

/**
 * Answers what never becomes a request (a head over 16 KB, broken framing, a body that is cut short) with a body in
 * the caller's shape and an `X-Request-Id`; Node's own answer has neither. Unknown expectations are ignored, as
 * RFC 9110 section 10.1.1 allows. Bytes behind a whole request are no part of it: it is answered as what it was, and
 * the connection ends there, as a fault in its place would say that nothing was done. To be called once for each server.
 */
export function answerProtocolErrors(server: Server, describe: DescribeFault): void {
  const latest = new WeakMap<Duplex, Exchange>();
  server.prependListener('request', (req, res) => void latest.set(req.socket, { req, res }));
  server.on('checkExpectation', (req, res) => server.emit('request', req, res));
  server.on('clientError', (error: ParseError, socket) => {
    const exchange = latest.get(socket);
    if (error.code !== 'ECONNRESET' && socket.writable && exchange && isUnderWay(exchange)) return endAfter(exchange, socket);
    // An answer that has begun would be mixed with this one, and a client that has gone reads none.
    const isBody = exchange !== undefined && !exchange.req.complete;
    if (error.code === 'ECONNRESET' || !socket.writable || (isBody && exchange.res.headersSent)) return void socket.destroy();
    const requestId = randomUUID();
    const { status, contentType, body, headers = {} } = describe({ fault: faultOf(error.code), requestId, target: isBody ? exchange.req.url : targetIn(error.rawPacket) });
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

/**
 * Hands on requests that name one host. "A server MUST respond with a 400 (Bad Request) status code to any HTTP/1.1 request message
 * that lacks a Host header field and to any request message that contains more than one Host header field line" (RFC 9112 section
 * 3.2). For servers with `requireHostHeader: false`: Node's own answer has no words.
 */
export function requireHost(listener: RequestListener, describe: DescribeFault): RequestListener {
  return (req, res) => {
    const hosts = req.rawHeaders.filter((text, at) => at % 2 === 0 && text.toLowerCase() === 'host').length;
    if (hosts === 1 || (hosts === 0 && req.httpVersion === '1.0')) return listener(req, res);
    const requestId = randomUUID();
    const { status, contentType, body, headers = {} } = describe({ fault: 'malformed', requestId, target: req.url });
    refuseRemainingBody(req, res);
    res.writeHead(status, { 'X-Request-Id': requestId, ...headers, 'Content-Type': contentType, 'Content-Length': Buffer.byteLength(body), 'Cache-Control': 'no-store', Connection: 'close' }).end(body);
  };
}

/** What Node says of bytes that it cannot read: among others the packet in which they came. */
interface ParseError extends NodeJS.ErrnoException {
  readonly rawPacket?: Buffer;
}

/** A request line is no longer than a head may be. */
const maxHeadBytes = 16_384;

function targetIn(packet: Buffer | undefined): string | undefined {
  return /^[\r\n]*[A-Z-]+ (\S+) HTTP\//.exec(packet?.toString('latin1', 0, maxHeadBytes) ?? '')?.[1];
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
