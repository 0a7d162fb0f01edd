import { once } from 'node:events';
import type { RequestListener } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';

import { describe, expect, it } from 'vitest';

import { allowHalfClose } from '#server/http/half-close.ts';
import { startDelayingProxy } from '#test/support/delaying-proxy.ts';
import { liveServer, rawClient } from './live-server.ts';

const get = (path: string, version = '1.1') => `GET ${path} HTTP/${version}\r\nHost: a\r\n\r\n`;

/** Responds after the number of milliseconds in the path. */
const late: RequestListener = (req, res) =>
  void setTimeout(() => res.end(`answer to ${req.url}`), Number(req.url!.slice(1)));

/** Sends a request and closes the client's side. Returns everything that the server sends until it closes. */
async function halfClosed(port: number, request: string): Promise<string> {
  const client = await rawClient(port);
  client.socket.end(request);
  return client.closed();
}

describe('allowHalfClose()', () => {
  it.each([0, 20, 150])('responds after %i ms to a client that has closed its side, and then closes', async (ms) => {
    await using server = await liveServer(late, allowHalfClose);
    const heard = await halfClosed(server.port, get(`/${ms}`));
    expect(heard).toMatch(/^HTTP\/1\.1 200 OK\r\n/);
    expect(heard).toContain(`answer to /${ms}`);
  });

  it('sends 102 while a response takes longer', async () => {
    await using server = await liveServer(late, allowHalfClose);
    expect(await halfClosed(server.port, get('/600'))).toMatch(
      /^(HTTP\/1\.1 102 Processing\r\n\r\n){1,3}HTTP\/1\.1 200 OK\r\n[^]*answer to \/600$/,
    );
  });

  it('sends no 102 to HTTP/1.0', async () => {
    await using server = await liveServer(late, allowHalfClose);
    expect(await halfClosed(server.port, get('/600', '1.0'))).toMatch(/^HTTP\/1\.1 200 OK\r\n/);
  });

  it('responds to all pipelined requests, and then closes', async () => {
    await using server = await liveServer(late, allowHalfClose);
    const heard = await halfClosed(server.port, get('/40') + get('/20') + get('/30'));
    expect(heard.match(/answer to \/\d+/g)).toEqual(['answer to /40', 'answer to /20', 'answer to /30']);
  });

  it('closes a connection that has sent no request', async () => {
    await using server = await liveServer(late, allowHalfClose);
    expect(await halfClosed(server.port, '')).toBe('');
  });

  it.each([
    ['a length', 'Content-Length: 10', 'half'],
    ['chunks', 'Transfer-Encoding: chunked', '4\r\nhalf\r\n'],
  ])('reports a body with %s that ends too soon, also of a request with Upgrade', async (_what, framing, body) => {
    const reading: RequestListener = (req, res) => void req.resume().once('end', () => res.end('whole'));
    for (const upgrade of ['', 'Connection: upgrade\r\nUpgrade: websocket\r\n']) {
      const errors: Array<string | undefined> = [];
      await using server = await liveServer(reading, (one) => {
        allowHalfClose(one);
        one.on('clientError', (error: NodeJS.ErrnoException, socket) => {
          errors.push(error.code);
          socket.end('HTTP/1.1 400 Bad Request\r\n\r\n');
        });
      });
      const heard = await halfClosed(server.port, `POST / HTTP/1.1\r\nHost: a\r\n${upgrade}${framing}\r\n\r\n${body}`);
      expect([heard, errors], upgrade).toEqual(['HTTP/1.1 400 Bad Request\r\n\r\n', ['HPE_INVALID_EOF_STATE']]);
    }
  });

  it('closes the connection of such a body, if nothing listens to errors', async () => {
    await using server = await liveServer((req) => void req.resume(), allowHalfClose);
    const head =
      'POST / HTTP/1.1\r\nHost: a\r\nConnection: upgrade\r\nUpgrade: websocket\r\nContent-Length: 10\r\n\r\n';
    expect(await halfClosed(server.port, `${head}half`)).not.toMatch(/ 200 /);
  });

  it.each(['directly', 'behind a TCP proxy'])('notices within a second that a client has left, %s', async (way) => {
    const gone = Promise.withResolvers<boolean>();
    await using server = await liveServer(
      (_req, res) => void res.once('close', () => gone.resolve(res.writableFinished)),
      (one) => {
        allowHalfClose(one);
        one.on('clientError', (_error, socket) => socket.destroy());
      },
    );
    await using proxy = await startDelayingProxy({ port: server.port });
    const client = await rawClient(way === 'directly' ? server.port : proxy.port);
    client.socket.write(get('/'));
    await once(server.server, 'request');
    client.socket.destroy();
    expect(await Promise.race([gone.promise, sleep(2000, 'not noticed')])).toBe(false);
  });
});
