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
  /**
   * The target of the request line as it came; undefined where that has not come, or not in one piece with the fault.
   */
  readonly target: string | undefined;
}

/** The answer to a fault; it may log. */
export type DescribeFault = (error: ProtocolError) => ProtocolAnswer;

/**
 * Answers what never becomes a request (a head over 16 KB, broken framing, a body that is cut short) with a body in
 * the caller's shape and an `X-Request-Id`; Node's own answer has neither. Unknown expectations are ignored, as
 * RFC 9110 section 10.1.1 allows. Bytes behind a whole request are no part of it: it is answered as what it was, and
 * the connection ends there, as a fault in its place would say that nothing was done. To be called once for each
 * server.
 *
 * @param options `tunnelMs`: how long a client that asked for a tunnel may go on sending once it was refused; default
 *   10 s
 */
export function answerProtocolErrors(
  server: Server,
  describe: DescribeFault,
  { tunnelMs = 10_000 }: { readonly tunnelMs?: number } = {},
): void {
  const latest = new WeakMap<Duplex, Exchange>();
  server.prependListener('request', (req, res) => void latest.set(req.socket, { req, res }));
  server.on('checkExpectation', (req, res) => server.emit('request', req, res));
  // Without this Node closes the connection without a word. It leaves the socket to us, with whatever becomes of it.
  server.on('connect', ({ method, url }, socket) => {
    socket.on('error', () => {}).resume();
    // The idle limit never fires while a client keeps sending.
    const timer = setTimeout(() => socket.destroy(), tunnelMs);
    socket.once('close', () => clearTimeout(timer));
    const exchange = latest.get(socket);
    if (exchange && isUnderWay(exchange)) return endAfter(exchange, socket);
    answer(socket, { fault: 'malformed', target: url }, method);
  });
  server.on('clientError', (error: ParseError, socket) => {
    const exchange = latest.get(socket);
    if (error.code !== 'ECONNRESET' && socket.writable && exchange && isUnderWay(exchange))
      return endAfter(exchange, socket);
    // An answer that has begun would be mixed with this one, and a client that has gone reads none.
    const isBody = exchange !== undefined && !exchange.req.complete;
    if (error.code === 'ECONNRESET' || !socket.writable || (isBody && exchange.res.headersSent))
      return void socket.destroy();
    const { method, target } = isBody
      ? { method: exchange.req.method, target: exchange.req.url }
      : requestLineIn(error.rawPacket);
    answer(socket, { fault: faultOf(error.code), target }, method);
  });

  function answer(socket: Duplex, known: Omit<ProtocolError, 'requestId'>, method: string | undefined): void {
    const requestId = randomUUID();
    const { status, contentType, body, headers = {} } = describe({ ...known, requestId });
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
        // "The server MUST NOT send content in the response" to a HEAD (RFC 9110 section 9.3.2).
        method === 'HEAD' ? '' : body,
      ].join('\r\n'),
    );
  }
}

/**
 * Hands on requests whose head can be read in one way alone: they name one host, and say in one way where they end. For
 * servers with
 * `requireHostHeader: false`: Node's own answer has no words.
 */
export function requireClearHead(listener: RequestListener, describe: DescribeFault): RequestListener {
  return (req, res) => {
    if (namesOneHost(req) && isPlainlyFramed(req)) return listener(req, res);
    const requestId = randomUUID();
    const { status, contentType, body, headers = {} } = describe({ fault: 'malformed', requestId, target: req.url });
    refuseRemainingBody(req, res);
    res
      .writeHead(status, {
        'X-Request-Id': requestId,
        ...headers,
        'Content-Type': contentType,
        'Content-Length': Buffer.byteLength(body),
        'Cache-Control': 'no-store',
        Connection: 'close',
      })
      .end(body);
  };
}

/**
 * "A server MUST respond with a 400 (Bad Request) status code to any HTTP/1.1 request message that lacks a Host header
 * field and to any request message that contains more than one Host header field line" (RFC 9112 section 3.2).
 */
function namesOneHost({ rawHeaders, httpVersion }: IncomingMessage): boolean {
  const hosts = rawHeaders.filter((text, at) => at % 2 === 0 && text.toLowerCase() === 'host').length;
  return hosts === 1 || (hosts === 0 && httpVersion === '1.0');
}

/**
 * Whether the body is in chunks, and nothing else, where it has a `Transfer-Encoding`. Node ignores codings before that
 * one, which another reader on the way may not; and HTTP/1.0 knows none: "MUST treat the message as if the framing is
 * faulty" (RFC 9112 section 6.1).
 */
function isPlainlyFramed({ headers, httpVersion }: IncomingMessage): boolean {
  const coding = headers['transfer-encoding'];
  return coding === undefined || (coding.toLowerCase() === 'chunked' && httpVersion !== '1.0');
}

/** What Node says of bytes that it cannot read: among others the packet in which they came. */
interface ParseError extends NodeJS.ErrnoException {
  readonly rawPacket?: Buffer;
}

/** A request line is no longer than a head may be. */
const maxHeadBytes = 16_384;

/** A method in front of what cannot be read is still the method; a target is one only in a whole request line. */
function requestLineIn(packet: Buffer | undefined): {
  readonly method: string | undefined;
  readonly target: string | undefined;
} {
  const [, method, target] =
    /^[\r\n]*([A-Z-]+) (?:(\S+) HTTP\/)?/.exec(packet?.toString('latin1', 0, maxHeadBytes) ?? '') ?? [];
  return { method, target };
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
