import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

import { Pool } from 'undici';
import { expect, it, onTestFinished } from 'vitest';

import { openResponse } from '#server/backends/open-response.ts';
import { patience } from '#test/support/chat-model.ts';

/** Starts a server, and a pool of one connection to it. */
async function start(answer: (res: ServerResponse) => void) {
  const connections = new Set<unknown>();
  const server = createServer((req, res) => {
    connections.add(req.socket);
    answer(res);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const pool = new Pool(`http://127.0.0.1:${(server.address() as AddressInfo).port}`, { connections: 1 });
  onTestFinished(async () => {
    await pool.destroy();
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  const open = (signal = patience) => openResponse(pool, { method: 'GET', path: '/', headers: {} }, { signal });
  return { open, connections };
}

it('openResponse() reads no further than its reader', async () => {
  const block = Buffer.alloc(1024 * 1024);
  let written = 0;
  const { open } = await start(async (res) => {
    for (; written < 64; written++) if (!res.write(block)) await once(res, 'drain');
    res.end();
  });
  const { body } = await open();
  for (let last = -1; last !== written;) {
    last = written;
    await new Promise((resolve) => setTimeout(resolve, 300));
  }
  // The rest is in the buffers of the system.
  expect(written).toBeLessThan(32);
  let read = 0;
  for (let chunk = await body.next(); chunk; chunk = await body.next()) read += chunk.length;
  expect(read).toBe(64 * block.length);
});

it('leave() keeps the connection for a short rest, and closes it for a long one', async () => {
  let requests = 0;
  const { open, connections } = await start((res) => {
    const isLong = ++requests === 3;
    res.write('begin');
    setTimeout(() => (isLong ? res.write(Buffer.alloc(100_000)) : res.end('end')), 20);
  });
  for (const used of [1, 1, 1, 2]) {
    const { body } = await open();
    expect(String(await body.next())).toBe('begin');
    body.leave();
    expect(await body.next()).toBeUndefined();
    expect(connections.size).toBe(used);
  }
});

it('throws the reason of its signal, before and between two pieces', async () => {
  const { open } = await start((res) => void res.write('begin'));
  const gone = new AbortController();
  const { body } = await open(gone.signal);
  await body.next();
  const waiting = body.next();
  gone.abort(new Error('gone'));
  await expect(waiting).rejects.toThrow('gone');
  await expect(open(gone.signal)).rejects.toThrow('gone');
});
