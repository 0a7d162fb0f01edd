import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

import { BodyCutOff, bodyChunks } from '#server/http/body-chunks.ts';
import { requireBodyPace } from '#server/http/body-pace.ts';
import { eventually } from '#test/support/eventually.ts';
import { liveServer, rawClient } from './live-server.ts';

const everyMs = 60_000;
const head = (length: number) => `POST / HTTP/1.1\r\nHost: x\r\nContent-Length: ${length}\r\n\r\n`;

// Only the timers of the pace check are faked, and the tests advance them. Everything else runs in real time.
beforeEach(() => void vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] }));
afterEach(() => void vi.useRealTimers());

/**
 * Starts a server that reads bodies once `mayRead` resolves. It records how each body ended and how many bytes arrived.
 */
async function reading(mayRead: Promise<void> = Promise.resolve()) {
  const ends: unknown[] = [];
  let sockets: Array<{ readonly bytesRead: number }> = [];
  const server = await liveServer(
    async (req, res) => {
      await mayRead;
      try {
        for await (const _chunk of bodyChunks(req));
        ends.push('whole');
        res.end('read');
      } catch (error) {
        ends.push(error);
      }
    },
    (one) => {
      requireBodyPace(one, { minBytes: 1000, everyMs });
      one.on('connection', (socket) => (sockets = [...sockets, socket]));
    },
  );
  const arrived = (bytes: number) => eventually(() => expect(sockets[0]?.bytesRead).toBeGreaterThanOrEqual(bytes));
  return { server, ends, arrived };
}

/** Sends each size before one check of the pace. Returns the total number of sent bytes. */
async function sendingBetweenLooks(
  arrived: (bytes: number) => Promise<unknown>,
  socket: { write(text: string): unknown },
  sizes: readonly number[],
  sentBefore: number,
): Promise<number> {
  let sent = sentBefore;
  for (const size of sizes) {
    socket.write('x'.repeat(size));
    sent += size;
    await arrived(sent);
    // Bytes that have arrived are read in the next turns of the event loop.
    await new Promise((resolve) => setTimeout(resolve, 5));
    vi.advanceTimersByTime(everyMs);
  }
  return sent;
}

describe('requireBodyPace()', () => {
  it('closes a connection whose body arrives too slowly, although it is never silent', async () => {
    const { server, ends, arrived } = await reading();
    await using _ = server;
    const client = await rawClient(server.port);
    client.socket.write(head(100_000));
    await arrived(head(100_000).length);
    await sendingBetweenLooks(arrived, client.socket, [999], head(100_000).length);
    expect(await client.closed()).toBe('');
    await eventually(() => expect(ends).toEqual([expect.any(BodyCutOff)]));
  });

  it('closes a connection that was fast at first and then slows down', async () => {
    const { server, arrived } = await reading();
    await using _ = server;
    const client = await rawClient(server.port);
    client.socket.write(head(100_000));
    const sent = head(100_000).length;
    await arrived(sent);
    await sendingBetweenLooks(arrived, client.socket, [50_000, 40_000, 10], sent);
    expect(await client.closed()).toBe('');
  });

  it('accepts a body that is just fast enough, and the next request on its connection', async () => {
    const { server, ends, arrived } = await reading();
    await using _ = server;
    const client = await rawClient(server.port);
    let sent = 0;
    for (let request = 1; request <= 2; request++) {
      client.socket.write(head(6000));
      sent += head(6000).length;
      await arrived(sent);
      sent = await sendingBetweenLooks(arrived, client.socket, [1000, 1000, 1000, 1000, 1000, 1000], sent);
      await eventually(() => expect(ends).toHaveLength(request));
      // A connection may be silent between bodies.
      vi.advanceTimersByTime(10 * everyMs);
    }
    expect(ends).toEqual(['whole', 'whole']);
    client.socket.destroy();
  });

  it('does not cut off a client whose bytes wait for a slow server', async () => {
    const mayRead = Promise.withResolvers<void>();
    const { server, ends, arrived } = await reading(mayRead.promise);
    await using _ = server;
    const answer = fetch(server.url, { method: 'POST', body: new Uint8Array(500_000) });
    await arrived(10_000);
    for (let look = 0; look < 5; look++) vi.advanceTimersByTime(everyMs);
    mayRead.resolve();
    expect(await (await answer).text()).toBe('read');
    expect(ends).toEqual(['whole']);
  });
});
