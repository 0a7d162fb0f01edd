import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { connect, type AddressInfo } from 'node:net';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { answerProtocolErrors } from '#server/http/protocol-errors.ts';

let server: Server;
const faults: string[] = [];
beforeAll(async () => {
  server = createServer((req, res) => void req.resume().once('end', () => res.end('fine')));
  answerProtocolErrors(server, (fault, status, requestId) => {
    faults.push(fault);
    return { fault, status, requestId };
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
});
afterAll(() => server.close());

/** Sends bytes, ends its own side, and answers all that comes back. */
async function exchange(bytes: string): Promise<string> {
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
  let received = '';
  socket.on('data', (chunk) => (received += chunk));
  socket.end(bytes);
  await once(socket, 'close');
  return received;
}

describe('answerProtocolErrors()', () => {
  it.each([
    ['bytes that are no HTTP', 'nonsense\r\n\r\n', 400, 'malformed'],
    ['TLS on a plain port', '\u0016\u0003\u0001\u0002\u0000\u0001', 400, 'malformed'],
    ['two lengths', 'POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nx', 400, 'malformed'],
    ['a broken chunk', 'POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n', 400, 'malformed'],
    ['a body that is cut short', 'POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 10\r\n\r\nabc', 400, 'malformed'],
    ['a head over 16 KB', `GET / HTTP/1.1\r\nHost: a\r\nX-Long: ${'x'.repeat(20_000)}\r\n\r\n`, 431, 'headers-too-large'],
  ])('answers %s with a body and a request id', async (_, bytes, status, fault) => {
    const [head = '', body = ''] = (await exchange(bytes)).split('\r\n\r\n');
    expect(head).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
    const id = /X-Request-Id: (\S+)/.exec(head)?.[1];
    expect(JSON.parse(body)).toEqual({ fault, status, requestId: id });
    expect(head).toContain(`Content-Length: ${body.length}`);
    expect(faults.at(-1)).toBe(fault);
  });

  it('lets a request with an unknown expectation pass', async () => {
    expect(await exchange('GET / HTTP/1.1\r\nHost: a\r\nExpect: banana\r\nConnection: close\r\n\r\n')).toMatch(/^HTTP\/1.1 200 .*fine/s);
  });
});
