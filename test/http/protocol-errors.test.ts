import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { answerProtocolErrors } from '#server/http/protocol-errors.ts';

let server: Server;
const faults: string[] = [];
beforeAll(async () => {
  server = createServer((req, res) => void req.resume().once('end', () => (req.url === '/later' ? setTimeout(() => res.end('fine'), 20) : res.end('fine'))));
  answerProtocolErrors(server, (fault, requestId) => {
    faults.push(fault);
    return { status: 418, contentType: 'text/plain', body: `${fault} ${requestId}`, headers: { 'X-More': 'told' } };
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
});
afterAll(() => server.close());

/** Sends bytes, ends its own side, and answers all that comes back. */
function exchange(bytes: string): Promise<string> {
  return heard((socket) => socket.end(bytes));
}

async function heard(send: (socket: Socket) => void): Promise<string> {
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
  let received = '';
  socket.on('data', (chunk) => (received += chunk));
  send(socket);
  await once(socket, 'close');
  return received;
}

describe('answerProtocolErrors()', () => {
  it.each([
    ['bytes that are no HTTP', 'nonsense\r\n\r\n', 'malformed'],
    ['TLS on a plain port', '\u0016\u0003\u0001\u0002\u0000\u0001', 'malformed'],
    ['two lengths', 'POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nx', 'malformed'],
    ['a broken chunk', 'POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n', 'malformed'],
    ['a body that is cut short', 'POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 10\r\n\r\nabc', 'malformed'],
    ['a head over 16 KB', `GET / HTTP/1.1\r\nHost: a\r\nX-Long: ${'x'.repeat(20_000)}\r\n\r\n`, 'headers-too-large'],
  ])('answers %s as it is told to, with a request id', async (_, bytes, fault) => {
    const [head = '', body = ''] = (await exchange(bytes)).split('\r\n\r\n');
    expect(head).toMatch(/^HTTP\/1.1 418 /);
    expect(head).toContain('\r\nX-More: told\r\nContent-Type: text/plain\r\n');
    const id = /X-Request-Id: (\S+)/.exec(head)?.[1];
    expect(body).toBe(`${fault} ${id}`);
    expect(head).toContain(`Content-Length: ${body.length}`);
    expect(faults.at(-1)).toBe(fault);
  });

  it.each([
    ['behind `Connection: close`', 'POST /later HTTP/1.1\r\nHost: a\r\nConnection: close\r\nContent-Length: 2\r\n\r\nxxsurplus'],
    ['where the next request would begin', 'POST /later HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\n\r\nxx\u0000surplus\r\n\r\n'],
    ['behind the last chunk', 'POST /later HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n surplus\r\n\r\n'],
  ])('answers a whole request as what it is, whatever stands %s, and closes', async (_, bytes) => {
    const answer = await heard((socket) => socket.write(bytes));
    expect(answer).toMatch(/^HTTP\/1.1 200 [^]*\r\nConnection: close\r\n[^]*fine/);
    expect(answer.match(/HTTP\/1.1/g)).toHaveLength(1);
  });

  it('lets a request with an unknown expectation pass', async () => {
    expect(await exchange('GET / HTTP/1.1\r\nHost: a\r\nExpect: banana\r\nConnection: close\r\n\r\n')).toMatch(/^HTTP\/1.1 200 .*fine/s);
  });
});
