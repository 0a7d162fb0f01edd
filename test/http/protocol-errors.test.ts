import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { answerProtocolErrors, requireClearHead, type DescribeFault } from '#server/http/protocol-errors.ts';

let server: Server;
const faults: string[] = [];
const targets: Array<string | undefined> = [];
beforeAll(async () => {
  const describeFault: DescribeFault = ({ fault, requestId, target }) => {
    faults.push(fault);
    targets.push(target);
    return { status: 418, contentType: 'text/plain', body: `${fault} ${requestId}`, headers: { 'X-More': 'told' } };
  };
  server = createServer({ requireHostHeader: false });
  answerProtocolErrors(server, describeFault);
  server.on(
    'request',
    requireClearHead(
      (req, res) =>
        void req
          .resume()
          .once('end', () => (req.url === '/later' ? setTimeout(() => res.end('fine'), 20) : res.end('fine'))),
      describeFault,
    ),
  );
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
});
afterAll(() => server.close());

/** Sends bytes and closes the client's side. Returns everything that the server sends. */
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
    ['bytes that are not HTTP', 'nonsense\r\n\r\n', 'malformed'],
    ['TLS on a plain port', '\u0016\u0003\u0001\u0002\u0000\u0001', 'malformed'],
    ['two lengths', 'POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nx', 'malformed'],
    ['a broken chunk', 'POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n', 'malformed'],
    ['a truncated body', 'POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 10\r\n\r\nabc', 'malformed'],
    ['no host', 'GET / HTTP/1.1\r\nConnection: close\r\n\r\n', 'malformed'],
    ['two hosts', 'GET / HTTP/1.1\r\nHost: a\r\nHost: a\r\nConnection: close\r\n\r\n', 'malformed'],
    ['a body without a host', `POST / HTTP/1.1\r\nContent-Length: 3\r\n\r\nabc`, 'malformed'],
    ['a head over 16 KB', `GET / HTTP/1.1\r\nHost: a\r\nX-Long: ${'x'.repeat(20_000)}\r\n\r\n`, 'headers-too-large'],
  ])('responds to %s as its caller chooses, with a request id', async (_, bytes, fault) => {
    const [head = '', body = ''] = (await exchange(bytes)).split('\r\n\r\n');
    expect(head).toMatch(/^HTTP\/1.1 418 /);
    expect(head).toContain('\r\nX-More: told\r\nContent-Type: text/plain\r\n');
    const id = /X-Request-Id: (\S+)/.exec(head)?.[1];
    expect(body).toBe(`${fault} ${id}`);
    expect(head).toContain(`Content-Length: ${body.length}`);
    expect(faults.at(-1)).toBe(fault);
  });

  it.each([
    ['two lengths', 'HEAD / HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nx'],
    ['a broken field', 'HEAD / HTTP/1.1\r\nHost a\r\n\r\n'],
    ['an unknown version', 'HEAD / HTTP/7.3\r\nHost: a\r\n\r\n'],
    ['no target', 'HEAD  HTTP/1.1\r\nHost: a\r\n\r\n'],
    ['an empty line before it', '\r\nHEAD / HTTP/1.1\r\nHost a\r\n\r\n'],
    ['a broken chunk', 'HEAD / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n'],
    ['a truncated body', 'HEAD / HTTP/1.1\r\nHost: a\r\nContent-Length: 10\r\n\r\nabc'],
    ['no host', 'HEAD / HTTP/1.1\r\nConnection: close\r\n\r\n'],
    ['two hosts', 'HEAD / HTTP/1.1\r\nHost: a\r\nHost: a\r\nConnection: close\r\n\r\n'],
    ['a head over 16 KB', `HEAD / HTTP/1.1\r\nHost: a\r\nX-Long: ${'x'.repeat(20_000)}\r\n\r\n`],
  ])('responds to a HEAD with %s like to a GET, without the body', async (_, bytes) => {
    const [head = '', body] = (await exchange(bytes)).split('\r\n\r\n');
    expect(head).toMatch(/^HTTP\/1.1 418 /);
    const [asGet] = (await exchange(bytes.replace('HEAD', 'GET'))).split('\r\n\r\n');
    const lasting = (text: string | undefined) =>
      text?.split('\r\n').filter((line) => !/^(x-request-id|date):/i.test(line));
    expect(lasting(head)).toEqual(lasting(asGet));
    expect(body).toBe('');
  });

  it.each([
    [
      'after `Connection: close`',
      'POST /later HTTP/1.1\r\nHost: a\r\nConnection: close\r\nContent-Length: 2\r\n\r\nxxsurplus',
    ],
    [
      'in place of the next request',
      'POST /later HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\n\r\nxx\u0000surplus\r\n\r\n',
    ],
    [
      'after the last chunk',
      'POST /later HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n surplus\r\n\r\n',
    ],
  ])('responds to a complete request normally and closes when surplus bytes stand %s', async (_, bytes) => {
    const answer = await heard((socket) => socket.write(bytes));
    expect(answer).toMatch(/^HTTP\/1.1 200 [^]*\r\nConnection: close\r\n[^]*fine/);
    expect(answer.match(/HTTP\/1.1/g)).toHaveLength(1);
  });

  it.each([
    ['a broken head', 'POST /hooks/a?x=1 HTTP/1.1\r\nHost a\r\n\r\n', '/hooks/a?x=1'],
    ['a head over 16 KB', `POST /hooks/a HTTP/1.1\r\nHost: a\r\nX-Long: ${'x'.repeat(20_000)}\r\n\r\n`, '/hooks/a'],
    ['a broken body', 'POST /hooks/a HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n', '/hooks/a'],
    ['no host', 'POST /hooks/a HTTP/1.1\r\nConnection: close\r\n\r\n', '/hooks/a'],
    ['bytes that are not HTTP', 'nonsense\r\n\r\n', undefined],
    [
      'a broken head behind a request that was answered',
      'POST /first HTTP/1.1\r\nHost: a\r\nContent-Length: 0\r\n\r\n',
      undefined,
    ],
  ])('reports the target of a request with %s, if it is known', async (what, bytes, target) => {
    if (target === undefined && what.includes('behind')) {
      await heard((socket) => {
        socket.write(bytes);
        socket.once('data', () => socket.write('\u0000nonsense\r\n\r\n'));
      });
    } else await exchange(bytes);
    expect(targets.at(-1)).toBe(target);
  });

  it('accepts HTTP/1.0 requests without a host', async () => {
    expect(await exchange('GET / HTTP/1.0\r\n\r\n')).toMatch(/ 200 .*fine/s);
  });

  it('accepts requests with an unknown expectation', async () => {
    expect(await exchange('GET / HTTP/1.1\r\nHost: a\r\nExpect: banana\r\nConnection: close\r\n\r\n')).toMatch(
      /^HTTP\/1.1 200 .*fine/s,
    );
  });
});

describe('a refused CONNECT request', () => {
  it('is closed even if its client keeps sending', async () => {
    const strict = createServer();
    answerProtocolErrors(strict, ({ fault }) => ({ status: 400, contentType: 'text/plain', body: fault }), {
      lingerMs: 50,
    });
    strict.listen(0, '127.0.0.1');
    await once(strict, 'listening');
    const socket = connect({ port: (strict.address() as AddressInfo).port, host: '127.0.0.1', allowHalfOpen: true }).on(
      'error',
      () => {},
    );
    const sending = setInterval(() => socket.write('x'), 5);
    try {
      socket.write('CONNECT a:80 HTTP/1.1\r\nHost: a:80\r\n\r\n');
      let received = '';
      socket.on('data', (chunk) => (received += chunk));
      await new Promise((resolve) => socket.once('close', resolve));
      expect(received).toMatch(/^HTTP\/1.1 400 /);
    } finally {
      clearInterval(sending);
      strict.close();
    }
  });
});
