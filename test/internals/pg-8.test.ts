import { once } from 'node:events';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import { TLSSocket } from 'node:tls';

import { Client, type ClientConfig } from 'pg';
import { describe, expect, it, onTestFinished } from 'vitest';

import { streamOf } from '#server/internals/pg-8.ts';

/** Starts a server that answers nothing by itself, and connects a client to it. */
async function connected(
  options: ClientConfig = {},
): Promise<{ client: Client; socket: Socket; over: Promise<unknown> }> {
  const server = createServer().listen(0, '127.0.0.1');
  onTestFinished(() => void server.close());
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const client = new Client({ host: '127.0.0.1', port, user: 'a', database: 'a', password: () => '', ...options });
  client.on('error', () => {});
  const over = client.connect().catch((error: unknown) => error);
  const [socket] = (await once(server, 'connection')) as [Socket];
  socket.on('error', () => {});
  return { client, socket, over };
}

describe('streamOf()', () => {
  it('is the stream to which the client writes, so that it can be corked', async () => {
    const { client, socket, over } = await connected();
    const [startup] = (await once(socket, 'data')) as [Buffer];
    expect(startup.includes('database')).toBe(true);
    let received = 0;
    socket.on('data', (chunk: Buffer) => (received += chunk.length));
    const stream = streamOf(client);
    stream.cork();
    // A request for the password in clear text, which the client sends in a packet of its own.
    socket.write(Buffer.from([0x52, 0, 0, 0, 8, 0, 0, 0, 3]));
    await expect.poll(() => stream.writableLength).toBeGreaterThan(0);
    expect(received).toBe(0);
    stream.uncork();
    await expect.poll(() => received).toBeGreaterThan(0);
    stream.destroy();
    await over;
  });

  it('ends a client whose server does not answer', async () => {
    const { client, socket, over } = await connected();
    const ended = once(socket.resume(), 'close');
    streamOf(client).destroy();
    expect(await over).toBeInstanceOf(Error);
    await ended;
  });

  it('is another stream as soon as TLS begins', async () => {
    const { client, socket, over } = await connected({ ssl: { rejectUnauthorized: false } });
    await once(socket, 'data');
    expect(streamOf(client)).not.toBeInstanceOf(TLSSocket);
    socket.write('S');
    await expect.poll(() => streamOf(client)).toBeInstanceOf(TLSSocket);
    streamOf(client).destroy();
    socket.destroy();
    await over;
  });
});
