import type { RequestListener } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';

import { describe, expect, it } from 'vitest';

import { readJsonBody } from '#server/http/json-body.ts';
import { refuseRemainingBody, type LingerLimits } from '#server/http/linger.ts';

import { openHold } from '#test/support/body-hold.ts';
import { liveServer, rawClient, type RawClient } from './live-server.ts';

const MIB = 1 << 20;

const refusing =
  (limits?: LingerLimits): RequestListener =>
  (req, res) => {
    refuseRemainingBody(req, res, limits);
    res.writeHead(403).end('no permission');
  };

function post(lengthBytes: number, path = '/'): string {
  return `POST ${path} HTTP/1.1\r\nHost: x\r\nContent-Length: ${lengthBytes}\r\n\r\n`;
}

/** A client that sends its whole body before it reads the response. */
async function sendThenRead(port: number, bodyBytes: number): Promise<string> {
  const client = await rawClient(port);
  client.socket.pause();
  client.socket.write(post(bodyBytes));
  const block = Buffer.alloc(MIB);
  const closed = new Promise((resolve) => client.socket.once('close', resolve));
  for (let sent = 0; sent < bodyBytes && !client.socket.destroyed; sent += block.length) {
    if (!client.socket.write(block)) {
      await Promise.race([new Promise((resolve) => client.socket.once('drain', resolve)), closed]);
    }
  }
  client.socket.resume();
  return client.closed();
}

describe('refuseRemainingBody()', () => {
  it('lets a client read the response although it sends 100 MB before it reads', async () => {
    await using server = await liveServer(refusing());
    const answer = await sendThenRead(server.port, 100 * MIB);
    expect(answer).toMatch(/^HTTP\/1\.1 403 .*\r\nConnection: close\r\n.*no permission/s);
  });

  it('lets fetch read the response', async () => {
    await using server = await liveServer(refusing());
    const response = await fetch(server.url, { method: 'POST', body: Buffer.alloc(20 * MIB) });
    expect(response.status).toBe(403);
  });

  it('takes over from a reader that stopped midway', async () => {
    await using server = await liveServer(async (req, res) => {
      await expect(
        readJsonBody(req, { hold: openHold(), maxBytes: 100 * MIB - 1, maxDepth: 1, maxValues: 10_000 }),
      ).rejects.toThrow('too-large');
      refusing()(req, res);
    });
    expect(await sendThenRead(server.port, 100 * MIB)).toMatch(/^HTTP\/1\.1 403 /);
  });

  it('closes the server’s side as soon as the response is sent', async () => {
    await using server = await liveServer(refusing());
    const client = await rawClient(server.port);
    client.socket.write(post(1000));
    expect(await client.closed()).toMatch(/^HTTP\/1\.1 403 /);
  });

  it('destroys the connection of a client that sends more than the limit', async () => {
    let receivedBytes = 0;
    await using server = await liveServer((req, res) => {
      req.socket.once('close', () => (receivedBytes = req.socket.bytesRead));
      refusing({ maxBytes: 2 * MIB })(req, res);
    });
    await sendThenRead(server.port, 100 * MIB);
    await sleep(10);
    expect(receivedBytes).toBeGreaterThan(2 * MIB);
    expect(receivedBytes).toBeLessThan(10 * MIB);
  });

  it('destroys the connection of a client that neither sends nor leaves', async () => {
    await using server = await liveServer(refusing({ maxMs: 50 }));
    const client = await rawClient(server.port);
    const started = performance.now();
    client.socket.write(post(1000));
    await client.until('no permission');
    while (!client.socket.destroyed && performance.now() - started < 20_000) {
      client.socket.write('x');
      await sleep(10);
    }
    expect(client.socket.destroyed).toBe(true);
  });

  it('destroys the connection of a client that sends very slowly', async () => {
    await using server = await liveServer(refusing({ maxMs: 100 }));
    const client = await rawClient(server.port);
    client.socket.write(post(100_000));
    const started = performance.now();
    while (!client.socket.destroyed && performance.now() - started < 20_000) {
      client.socket.write('x');
      await sleep(5);
    }
    expect(client.socket.destroyed).toBe(true);
  });

  it.each<[string, LingerLimits, (client: RawClient) => void]>([
    ['the client leaves', {}, ({ socket }) => void socket.write(post(1000), () => socket.end())],
    ['the connection breaks', {}, ({ socket }) => void socket.write(post(1000), () => socket.resetAndDestroy())],
    ['the time is over', { maxMs: 20 }, ({ socket }) => void socket.write(post(1000))],
    ['too much was sent', { maxBytes: 10 }, ({ socket }) => void socket.write(post(1000) + 'x'.repeat(100))],
  ])('ends the request when %s, so that nothing waits for it', async (_, limits, act) => {
    const ended = Promise.withResolvers<void>();
    await using server = await liveServer((req, res) => {
      req.once('close', ended.resolve);
      refusing(limits)(req, res);
    });
    act(await rawClient(server.port));
    await ended.promise;
  });

  it('does not affect connections whose request is complete or has no body', async () => {
    await using server = await liveServer(async (req, res) => {
      if (req.url === '/read')
        await readJsonBody(req, { hold: openHold(), maxBytes: 10, maxDepth: 1, maxValues: 10_000 });
      refuseRemainingBody(req, res);
      res.end(`<${req.url}>`);
    });
    const client = await rawClient(server.port);
    client.socket.write(`${post(2, '/read')}{}`);
    await client.until('</read>');
    client.socket.write('GET /get HTTP/1.1\r\nHost: x\r\n\r\n');
    await client.until('</get>');
    client.socket.write(post(0, '/empty'));
    await client.until('</empty>');
    expect(client.received()).not.toContain('Connection: close');
    client.socket.destroy();
  });

  it('may be called twice', async () => {
    await using server = await liveServer((req, res) => {
      refuseRemainingBody(req, res);
      refusing()(req, res);
    });
    expect(await sendThenRead(server.port, 10 * MIB)).toMatch(/^HTTP\/1\.1 403 /);
  });

  it('waits for a response that comes later than the body', async () => {
    await using server = await liveServer(async (req, res) => {
      refuseRemainingBody(req, res);
      await sleep(50);
      res.writeHead(403).end('no permission');
    });
    expect(await sendThenRead(server.port, MIB)).toContain('no permission');
  });
});
