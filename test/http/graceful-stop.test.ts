import type { RequestListener, ServerResponse } from 'node:http';
import { createServer } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';

import { describe, expect, it } from 'vitest';

import { acceptExpectations } from '#server/http/continue.ts';
import { stopGracefully, watchConnections } from '#server/http/graceful-stop.ts';

import { liveServer, rawClient } from './live-server.ts';

const GET = 'GET / HTTP/1.1\r\nHost: x\r\n\r\n';

/** Starts a server whose responses the test sends itself. */
async function waitingServer() {
  const answers: ServerResponse[] = [];
  const app: RequestListener = (_req, res) => void answers.push(res);
  const live = await liveServer(app, (server) => {
    watchConnections(server);
    acceptExpectations(server);
  });
  const answer = async (index: number): Promise<ServerResponse> => {
    while (answers[index] === undefined) await sleep(1);
    return answers[index];
  };
  return { ...live, answer };
}

describe('stopGracefully()', () => {
  it('finishes the response in flight, with Connection: close', async () => {
    await using server = await waitingServer();
    const client = await rawClient(server.port);
    client.socket.write(GET);
    const res = await server.answer(0);
    const stopped = stopGracefully([server.server], { timeoutMs: 60_000 });
    await sleep(20);
    res.end('done');
    expect(await client.closed()).toMatch(/^HTTP\/1\.1 200 OK\r\nConnection: close\r\n.*done/s);
    expect(await stopped).toBe(true);
  });

  it('finishes a response whose head is already sent, and closes after it', async () => {
    await using server = await waitingServer();
    const client = await rawClient(server.port);
    client.socket.write(GET);
    const res = await server.answer(0);
    res.write('half ');
    await client.until('half');
    const stopped = stopGracefully([server.server], { timeoutMs: 60_000 });
    const started = performance.now();
    res.end('done');
    expect(await client.closed()).toContain('done');
    expect(await stopped).toBe(true);
    expect(performance.now() - started).toBeLessThan(20_000);
  });

  it('accepts no new connection', async () => {
    await using server = await waitingServer();
    const client = await rawClient(server.port);
    client.socket.write(GET);
    const res = await server.answer(0);
    const stopped = stopGracefully([server.server], { timeoutMs: 60_000 });
    await expect(rawClient(server.port)).rejects.toThrow('ECONNREFUSED');
    res.end();
    expect(await stopped).toBe(true);
  });

  it('closes idle connections at once, both kept-alive and unused ones', async () => {
    await using server = await waitingServer();
    const [used, unused] = [await rawClient(server.port), await rawClient(server.port)];
    used.socket.write(GET);
    (await server.answer(0)).end('done');
    await used.until('done');
    const started = performance.now();
    expect(await stopGracefully([server.server], { timeoutMs: 60_000 })).toBe(true);
    expect(performance.now() - started).toBeLessThan(20_000);
    await Promise.all([used.closed(), unused.closed()]);
  });

  it('responds to a second request that is already pipelined on the same connection', async () => {
    await using server = await waitingServer();
    const client = await rawClient(server.port);
    client.socket.write(GET + GET);
    const [one, two] = [await server.answer(0), await server.answer(1)];
    const stopped = stopGracefully([server.server], { timeoutMs: 60_000 });
    two.end('two');
    one.end('one');
    expect(await client.closed()).toContain('one');
    expect(await stopped).toBe(true);
  });

  it('waits for a request that expects a 100', async () => {
    await using server = await waitingServer();
    const client = await rawClient(server.port);
    client.socket.write('POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nExpect: 100-continue\r\n\r\n');
    const res = await server.answer(0);
    const stopped = stopGracefully([server.server], { timeoutMs: 60_000 });
    res.end('done');
    expect(await client.closed()).toContain('done');
    expect(await stopped).toBe(true);
  });

  it('destroys the remaining connections after the timeout, and returns false', async () => {
    await using server = await waitingServer();
    const client = await rawClient(server.port);
    client.socket.write(GET);
    await server.answer(0);
    const started = performance.now();
    expect(await stopGracefully([server.server], { timeoutMs: 100 })).toBe(false);
    expect(performance.now() - started).toBeLessThan(20_000);
    expect(await client.closed()).toBe('');
  });

  it('stops several servers together, including one that never listened', async () => {
    await using one = await waitingServer();
    await using two = await waitingServer();
    const client = await rawClient(two.port);
    client.socket.write(GET);
    const res = await two.answer(0);
    const stopped = stopGracefully([one.server, createServer(), two.server], { timeoutMs: 60_000 });
    await expect(rawClient(one.port)).rejects.toThrow('ECONNREFUSED');
    res.end();
    expect(await stopped).toBe(true);
    expect(await stopGracefully([one.server], { timeoutMs: 60_000 })).toBe(true);
  });

  it('leaves an expectation to Node if no handler accepts it', async () => {
    await using server = await liveServer(
      (req, res) => req.resume().on('end', () => res.end('done')),
      watchConnections,
    );
    const client = await rawClient(server.port);
    client.socket.write('POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nExpect: 100-continue\r\n\r\n');
    await client.until('100 Continue');
    client.socket.write('x');
    await client.until('done');
    client.socket.destroy();
  });

  it('stops a server that was not watched too', async () => {
    await using server = await liveServer((_req, res) => res.end('done'));
    const client = await rawClient(server.port);
    client.socket.write(GET);
    await client.until('done');
    expect(await stopGracefully([server.server], { timeoutMs: 60_000 })).toBe(true);
  });
});
