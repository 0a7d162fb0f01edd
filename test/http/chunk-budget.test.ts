import { once } from 'node:events';
import type { IncomingMessage, Server } from 'node:http';
import type { Socket } from 'node:net';

import { describe, expect, it } from 'vitest';

import { pauseTinyChunks } from '#server/http/chunk-budget.ts';
import { liveServer, rawClient } from './live-server.ts';

/** Node reads so much from a socket at once. */
const packetBytes = 65_536;

const readers: Readonly<Record<string, (req: IncomingMessage) => Promise<number>>> = {
  async 'an iterator'(req) {
    let bytes = 0;
    for await (const chunk of req) bytes += (chunk as Buffer).length;
    return bytes;
  },
  async 'a listener of data'(req) {
    let bytes = 0;
    req.on('data', (chunk: Buffer) => (bytes += chunk.length));
    await once(req, 'end');
    return bytes;
  },
  async 'a listener of readable'(req) {
    let bytes = 0;
    req.on('readable', () => {
      for (let chunk; (chunk = req.read() as Buffer | null) !== null;) bytes += chunk.length;
    });
    await once(req, 'end');
    return bytes;
  },
  async 'one that begins late'(req) {
    await new Promise((resolve) => setTimeout(resolve, 50));
    return readers['an iterator']!(req);
  },
};

/**
 * Sends chunks of a size over several connections. Returns the bytes of the bodies, and the most bytes of the wire that
 * came in one turn of the event loop.
 */
async function received(
  read: (req: IncomingMessage) => Promise<number>,
  chunkBytes: number,
  chunks: number,
  clients = 1,
  prepare: (server: Server) => void = pauseTinyChunks,
) {
  const sockets = new Set<Socket>();
  let mostInTurn = 0;
  let before = 0;
  let turn = setImmediate(function look() {
    const now = [...sockets].reduce((sum, { bytesRead }) => sum + bytesRead, 0);
    // Each connection may begin with a packet.
    const isBegun = sockets.size === clients && [...sockets].every(({ bytesRead }) => bytesRead > packetBytes);
    if (isBegun) mostInTurn = Math.max(mostInTurn, now - before);
    before = now;
    turn = setImmediate(look);
  });
  await using live = await liveServer(async (req, res) => {
    sockets.add(req.socket);
    res.end(`<${await read(req)}>`);
  }, prepare);
  const chunk = `${chunkBytes.toString(16)}\r\n${'x'.repeat(chunkBytes)}\r\n`;
  const wire = Buffer.from(`${chunk.repeat(chunks)}0\r\n\r\n`);
  const bytes = await Promise.all(
    Array.from({ length: clients }, async () => {
      const client = await rawClient(live.port);
      client.socket.write('POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\n');
      client.socket.write(wire);
      return Number(/<(\d+)>/.exec(await client.closed())?.[1]);
    }),
  );
  clearImmediate(turn);
  return { bytes, mostInTurn };
}

describe('pauseTinyChunks()', () => {
  const tiny = 60_000;
  // Less than a packet may be left of the pieces that are received at once.
  const mostBytes = packetBytes + 6 * 1000;

  it.each(Object.entries(readers))('receives one packet of chunks of a byte in a turn, for %s', async (_, read) => {
    const { bytes, mostInTurn } = await received(read, 1, tiny);
    expect(bytes).toEqual([tiny]);
    expect(mostInTurn).toBeGreaterThan(0);
    expect(mostInTurn).toBeLessThanOrEqual(mostBytes);
  });

  it('receives one packet in a turn for all bodies together', async () => {
    const { bytes, mostInTurn } = await received(readers['an iterator']!, 1, tiny, 6);
    expect(bytes).toEqual(Array.from({ length: 6 }, () => tiny));
    expect(mostInTurn).toBeLessThanOrEqual(mostBytes);
  });

  it.each(Object.entries(readers))('waits once for a packet, for %s', async (_, read) => {
    let waiting = 0;
    let mostWaiting = 0;
    let waits = 0;
    const pause = async () => {
      waits += 1;
      mostWaiting = Math.max(mostWaiting, ++waiting);
      await new Promise(setImmediate);
      waiting -= 1;
    };
    expect((await received(read, 1, tiny, 1, (server) => pauseTinyChunks(server, pause))).bytes).toEqual([tiny]);
    expect(mostWaiting).toBe(1);
    // Each wait receives at least 1000 pieces more.
    expect(waits).toBeLessThanOrEqual(tiny / 1000);
  });

  it('rests after each packet for as long as it takes, so that others have half of the time', async () => {
    const began = performance.now();
    expect((await received(readers['an iterator']!, 1, tiny, 3)).bytes).toEqual([tiny, tiny, tiny]);
    // The first and the last packet of each body are followed by no rest. 5 µs are rested for a piece.
    expect(performance.now() - began).toBeGreaterThan(3 * (tiny - (2 * packetBytes) / 6) * 0.005);
  });

  it.each(Object.entries(readers))('receives usual chunks whole, for %s', async (_, read) => {
    expect((await received(read, packetBytes, 100)).bytes).toEqual([100 * packetBytes]);
  });
});
