import { setTimeout as sleep } from 'node:timers/promises';

import { describe, it } from 'vitest';

import { BodyCutOff, bodyChunks } from '#server/http/body-chunks.ts';
import { requireBodyPace } from '#server/http/body-pace.ts';
import { liveServer, rawClient } from './live-server.ts';

const head = (length: number) => `POST / HTTP/1.1\r\nHost: x\r\nContent-Length: ${length}\r\n\r\n`;

/** A server that reads bodies, waiting `pauseMs` before the first chunk, and tells how each reading ended. */
async function reading(pauseMs = 0) {
  const ends: unknown[] = [];
  const server = await liveServer(
    async (req, res) => {
      await sleep(pauseMs);
      try {
        for await (const _chunk of bodyChunks(req));
        ends.push('whole');
        res.end('read');
      } catch (error) {
        ends.push(error);
      }
    },
    (one) => requireBodyPace(one, { minBytes: 1000, everyMs: 250 }),
  );
  return { server, ends };
}

// Each waits far more than it computes.
describe.concurrent('requireBodyPace()', () => {
  it('closes a connection on which a body trickles in, though it is never silent', async ({ expect }) => {
    const { server, ends } = await reading();
    await using _ = server;
    const client = await rawClient(server.port);
    client.socket.write(head(100_000));
    const trickle = setInterval(() => client.socket.write('x'), 10);
    expect(await client.closed()).toBe('');
    clearInterval(trickle);
    await expect.poll(() => ends).toEqual([expect.any(BodyCutOff)]);
  });

  it('closes one that came fast at first and then only trickles', async ({ expect }) => {
    const { server } = await reading();
    await using _ = server;
    const client = await rawClient(server.port);
    client.socket.write(head(100_000) + 'x'.repeat(90_000));
    const trickle = setInterval(() => client.socket.write('x'), 10);
    expect(await client.closed()).toBe('');
    clearInterval(trickle);
  });

  it('lets a body through that is just fast enough, and what follows on its connection', async ({ expect }) => {
    const { server, ends } = await reading();
    await using _ = server;
    const client = await rawClient(server.port);
    for (let request = 1; request <= 2; request++) {
      client.socket.write(head(6000));
      for (let piece = 0; piece < 10; piece++) {
        await sleep(50);
        client.socket.write('x'.repeat(600));
      }
      await expect.poll(() => ends.length).toBe(request);
      // Longer than the pace looks at once: a connection without a body under way may be silent.
      await sleep(600);
    }
    expect(ends).toEqual(['whole', 'whole']);
    client.socket.destroy();
  });

  it('cuts nobody off whose bytes wait for a slow server', async ({ expect }) => {
    const { server, ends } = await reading(1100);
    await using _ = server;
    const answer = await fetch(server.url, { method: 'POST', body: new Uint8Array(500_000) });
    expect(await answer.text()).toBe('read');
    expect(ends).toEqual(['whole']);
  });
});
