import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { buffer, text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';

import { expect, it, onTestFinished } from 'vitest';

import { someBytes } from './files.ts';
import { startDelayingProxy, type DelayingProxy } from './delaying-proxy.ts';

/** A server that sends everything back. */
async function startEcho(prefix = ''): Promise<number> {
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    socket.on('error', () => {});
    if (prefix !== '') socket.write(prefix);
    socket.pipe(socket);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  return (server.address() as AddressInfo).port;
}

async function startProxy(port: number, delayMs = 0): Promise<DelayingProxy> {
  const proxy = await startDelayingProxy({ port }, delayMs);
  onTestFinished(() => proxy.close());
  return proxy;
}

async function connectTo({ port }: DelayingProxy): Promise<Socket> {
  const socket = connect({ port, host: '127.0.0.1', noDelay: true });
  onTestFinished(() => void socket.destroy());
  await once(socket, 'connect');
  return socket;
}

const answerOf = async (socket: Socket, bytes: string): Promise<string> => {
  socket.write(bytes);
  const [answer] = (await once(socket, 'data')) as [Buffer];
  return answer.toString();
};

it('startDelayingProxy() passes all bytes in order and both ends of a connection', async () => {
  const socket = await connectTo(await startProxy(await startEcho(), 1));
  const bytes = someBytes(5_000_000);
  socket.end(bytes);
  expect(bytes.equals(await buffer(socket))).toBe(true);
});

it('startDelayingProxy() delays each direction', async () => {
  const proxy = await startProxy(await startEcho(), 20);
  const socket = await connectTo(proxy);
  const beganAt = performance.now();
  expect(await answerOf(socket, 'a')).toBe('a');
  expect(performance.now() - beganAt).toBeGreaterThanOrEqual(40);
  proxy.delay(0);
  const laterAt = performance.now();
  expect(await answerOf(socket, 'b')).toBe('b');
  expect(performance.now() - laterAt).toBeLessThan(40);
});

it('cut() resets open connections and accepts new ones', async () => {
  const proxy = await startProxy(await startEcho());
  const socket = await connectTo(proxy);
  await answerOf(socket, 'a');
  const error = once(socket, 'error');
  proxy.cut();
  expect((await error)[0]).toMatchObject({ code: 'ECONNRESET' });
  expect(await answerOf(await connectTo(proxy), 'b')).toBe('b');
});

it('refuse() resets new connections too, until heal()', async () => {
  const proxy = await startProxy(await startEcho());
  proxy.refuse();
  const socket = connect({ port: proxy.port, host: '127.0.0.1' });
  expect((await once(socket, 'error'))[0]).toMatchObject({ code: 'ECONNRESET' });
  proxy.heal();
  expect(await answerOf(await connectTo(proxy), 'b')).toBe('b');
});

it('hang() holds everything back, and heal() delivers it in order', async () => {
  const proxy = await startProxy(await startEcho());
  const old = await connectTo(proxy);
  await answerOf(old, 'a');
  proxy.hang();
  const fresh = await connectTo(proxy);
  let came = '';
  for (const socket of [old, fresh]) socket.on('data', (bytes) => (came += bytes.toString()));
  for (const piece of ['1', '2', '3']) old.write(piece);
  await sleep(50);
  expect(came).toBe('');
  proxy.heal();
  await expect.poll(() => came).toBe('123');
  expect(await answerOf(fresh, 'new')).toBe('new');
});

it('drop() holds everything back, and heal() resets what was open', async () => {
  const proxy = await startProxy(await startEcho());
  const socket = await connectTo(proxy);
  await answerOf(socket, 'a');
  proxy.drop();
  socket.write('lost');
  await sleep(20);
  const error = once(socket, 'error');
  proxy.heal();
  expect((await error)[0]).toMatchObject({ code: 'ECONNRESET' });
  await expect.poll(() => proxy.connections).toBe(0);
  expect(await answerOf(await connectTo(proxy), 'b')).toBe('b');
});

it('pointTo() sends new connections to another server', async () => {
  const proxy = await startProxy(await startEcho('first'));
  const socket = await connectTo(proxy);
  proxy.pointTo({ port: await startEcho('second') });
  const other = await connectTo(proxy);
  other.end();
  expect(await text(other)).toBe('second');
  socket.end();
  expect(await text(socket)).toBe('first');
});
