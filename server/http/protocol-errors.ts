import { randomUUID } from 'node:crypto';
import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';

import { refuseRemainingBody } from './linger.ts';

/** An import would also load Node's client for `fetch()`. @see server/start.ts */
const { STATUS_CODES } = process.getBuiltinModule('node:http');

/** Why bytes are not a complete HTTP request. */
export type ProtocolFault = 'malformed' | 'headers-too-large' | 'timeout';

/** The response to a fault. */
export interface ProtocolAnswer {
  readonly status: number;
  readonly contentType: string;
  readonly body: string;
  /** More response headers. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** A fault as a server sees it. */
export interface ProtocolError {
  readonly fault: ProtocolFault;
  /** The id in the response. */
  readonly requestId: string;
  /** The raw target of the request line; undefined if it did not arrive together with the fault. */
  readonly target: string | undefined;
}

/** Returns the response to a fault. It may log. */
export type DescribeFault = (error: ProtocolError) => ProtocolAnswer;

/**
 * Responds to bytes that never become a request: a head over 16 KB, broken framing, an incomplete body. The response
 * has a body in the caller's shape and an `X-Request-Id`. Node's own has neither. Unknown expectations are ignored, as
 * RFC 9110 section 10.1.1 allows.
 *
 * Bytes after a complete request do not belong to it. The request gets its own response, because a fault in its place
 * would claim that nothing was done. The connection ends after it. Call it once for each server.
 *
 * @param options `lingerMs`: how long a client may keep its side of the connection open after the response, so that it
 *   can read the response while it is still sending. Default 2 s
 */
export function answerProtocolErrors(
  server: Server,
  describe: DescribeFault,
  { lingerMs = 2_000 }: { readonly lingerMs?: number } = {},
): void {
  const latest = new WeakMap<Duplex, Exchange>();
  server.prependListener('request', (req, res) => void latest.set(req.socket, { req, res }));
  server.on('checkExpectation', (req, res) => server.emit('request', req, res));
  // Without this listener Node closes the connection without a response. With it, the socket is ours, errors included.
  server.on('connect', ({ method, url }, socket) => {
    socket.on('error', () => {});
    const exchange = latest.get(socket);
    if (exchange && isUnderWay(exchange)) return endAfter(exchange, socket);
    answer(socket, { fault: 'malformed', target: url }, method);
  });
  server.on('clientError', (error: ParseError, socket) => {
    const exchange = latest.get(socket);
    if (error.code !== 'ECONNRESET' && socket.writable && exchange && isUnderWay(exchange))
      return endAfter(exchange, socket);
    // A response that has begun would be mixed with this one, and a client that is gone reads none.
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
    const described = describe({ ...known, requestId });
    const { status, body } = described;
    end(
      socket,
      [
        `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
        ...Object.entries(headersOf(described, requestId)).map(([name, value]) => `${name}: ${value}`),
        '',
        // "The server MUST NOT send content in the response" to a HEAD (RFC 9110 section 9.3.2).
        method === 'HEAD' ? '' : body,
      ].join('\r\n'),
    );
  }

  function endAfter({ res }: Exchange, socket: Duplex): void {
    if (!res.headersSent) res.setHeader('Connection', 'close');
    res.once('finish', () => end(socket));
  }

  /**
   * Closes the server's side, and soon the connection. A client that leaves its side open would hold the descriptor:
   * with a byte now and then without end, because the idle limit restarts with each.
   */
  function end(socket: Duplex, text = ''): void {
    socket.resume().end(text);
    const timer = setTimeout(() => socket.destroy(), lingerMs);
    socket.once('close', () => clearTimeout(timer));
  }
}

function headersOf({ contentType, body, headers = {} }: ProtocolAnswer, requestId: string): Record<string, string> {
  return {
    'X-Request-Id': requestId,
    ...headers,
    'Content-Type': contentType,
    'Content-Length': String(Buffer.byteLength(body)),
    'Cache-Control': 'no-store',
    Connection: 'close',
  };
}

/**
 * Passes requests on whose head is unambiguous: it names one host, and it says in one way where the body ends. For
 * servers with `requireHostHeader: false`, because Node's own response has no body.
 */
export function requireClearHead(listener: RequestListener, describe: DescribeFault): RequestListener {
  return (req, res) => {
    if (namesOneHost(req) && isPlainlyFramed(req)) return listener(req, res);
    const requestId = randomUUID();
    const described = describe({ fault: 'malformed', requestId, target: req.url });
    refuseRemainingBody(req, res);
    res.writeHead(described.status, headersOf(described, requestId)).end(described.body);
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
 * Whether `Transfer-Encoding` is absent or exactly `chunked`. Node ignores codings before `chunked`, and a proxy may
 * not. HTTP/1.0 has no such header: "MUST treat the message as if the framing is faulty" (RFC 9112 section 6.1).
 */
function isPlainlyFramed({ headers, httpVersion }: IncomingMessage): boolean {
  const coding = headers['transfer-encoding'];
  return coding === undefined || (coding.toLowerCase() === 'chunked' && httpVersion !== '1.0');
}

/** Node's error for unreadable bytes, with the packet that contains them. */
interface ParseError extends NodeJS.ErrnoException {
  readonly rawPacket?: Buffer;
}

/** The limit of a head, and so of a request line. */
const maxHeadBytes = 16_384;

/** Reads the method before unreadable bytes, and the target of a complete request line. */
function requestLineIn(packet: Buffer | undefined): {
  readonly method: string | undefined;
  readonly target: string | undefined;
} {
  const [, method, target] =
    /^[\r\n]*([A-Z-]+) (?:(\S+) HTTP\/)?/.exec(packet?.toString('latin1', 0, maxHeadBytes) ?? '') ?? [];
  return { method, target };
}

interface Exchange {
  readonly req: IncomingMessage;
  readonly res: ServerResponse;
}

/** Whether a request is complete and its response is not. */
function isUnderWay({ req, res }: Exchange): boolean {
  return req.complete && !res.writableFinished;
}

function faultOf(code: string | undefined): ProtocolFault {
  if (code === 'HPE_HEADER_OVERFLOW') return 'headers-too-large';
  return code === 'ERR_HTTP_REQUEST_TIMEOUT' ? 'timeout' : 'malformed';
}
