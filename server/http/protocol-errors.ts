import { randomUUID } from 'node:crypto';
import { STATUS_CODES, type Server, type ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';

/** What was wrong with bytes that are no HTTP request, or not a whole one. */
export type ProtocolFault = 'malformed' | 'headers-too-large' | 'timeout';

const statusOfFault: Readonly<Record<ProtocolFault, number>> = { malformed: 400, 'headers-too-large': 431, timeout: 408 };

/**
 * Answers what never becomes a request (a head over 16 KB, broken framing, a body that is cut short) with a body in
 * the caller's shape and an `X-Request-Id`; Node's own answer has neither. Unknown expectations are ignored, as
 * RFC 9110 section 10.1.1 allows. To be called once for each server.
 *
 * @param describe the JSON body; it may log
 */
export function answerProtocolErrors(server: Server, describe: (fault: ProtocolFault, status: number, requestId: string) => unknown): void {
  const answers = new WeakMap<Duplex, ServerResponse>();
  server.prependListener('request', (req, res) => void answers.set(req.socket, res));
  server.on('checkExpectation', (req, res) => server.emit('request', req, res));
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    // An answer that has begun would be mixed with this one, and a client that has gone reads none.
    if (error.code === 'ECONNRESET' || !socket.writable || answers.get(socket)?.headersSent) return void socket.destroy();
    const fault = faultOf(error.code);
    const status = statusOfFault[fault];
    const requestId = randomUUID();
    const body = JSON.stringify(describe(fault, status, requestId));
    socket.end(
      [
        `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
        `X-Request-Id: ${requestId}`,
        'Content-Type: application/json; charset=utf-8',
        `Content-Length: ${Buffer.byteLength(body)}`,
        'Cache-Control: no-store',
        'Connection: close',
        '',
        body,
      ].join('\r\n'),
    );
  });
}

function faultOf(code: string | undefined): ProtocolFault {
  if (code === 'HPE_HEADER_OVERFLOW') return 'headers-too-large';
  return code === 'ERR_HTTP_REQUEST_TIMEOUT' ? 'timeout' : 'malformed';
}
