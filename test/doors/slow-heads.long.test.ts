import { setTimeout as sleep } from 'node:timers/promises';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { startTestServer, type TestServer } from '#test/support/server.ts';
import { connectTo, doors, parseAnswer, statusesIn } from './raw-connection.ts';

const pace = { timeoutMs: 400, checkEveryMs: 50 };
const many = process.env.CUBBY_TEST_LONG === '1' ? 500 : 50;

let server: TestServer;
beforeAll(async () => void (server = await startTestServer({ slowestHead: pace })));
afterAll(() => server.stop());

const start = 'GET /livez HTTP/1.1\r\nHost: a\r\n';

describe.each(doors)('the %s door', (door) => {
  it(`cuts off ${many} clients that send their heads slowly, and answers other clients meanwhile`, async () => {
    const slow = await Promise.all(Array.from({ length: many }, () => connectTo(server, door)));
    const startedAt = performance.now();
    for (const { socket } of slow) socket.write(start);
    // The clients are never silent: they send an endless header field.
    const trickle = setInterval(() => slow.forEach(({ socket }) => socket.writable && socket.write('X')), 20);
    const ends = Promise.all(slow.map((client) => client.closed()));
    const other = await connectTo(server, door);
    other.socket.write(`${start}Connection: close\r\n\r\n`);
    const answer = await other.closed();
    expect(statusesIn(answer)).toHaveLength(1);
    expect(answer).not.toMatch(/timeout/i);
    const heard = await ends;
    clearInterval(trickle);
    expect(performance.now() - startedAt).toBeLessThan(10_000);
    for (const text of heard) {
      // A client that is still sending may lose the response.
      if (text !== '') expect(parseAnswer(text).status).toBe(door === 's3' ? 400 : 408);
    }
    expect(
      heard.some((text) => text !== ''),
      'some hear why',
    ).toBe(true);
  });

  it('closes connections that never send anything', async () => {
    const silent = await Promise.all([1, 2, 3].map(() => connectTo(server, door)));
    const ended = Promise.all(silent.map((client) => client.closed())).then(() => 'closed');
    expect(await Promise.race([ended, sleep(10_000, 'open')])).toBe('closed');
  });

  it('cuts off a slow second head on a connection whose first head was not slow', async () => {
    const client = await connectTo(server, door);
    client.socket.write(`${start}\r\n`);
    await client.until('\r\n\r\n');
    client.socket.write(start);
    expect(statusesIn(await client.closed()).at(-1)).toBe(door === 's3' ? 400 : 408);
  });

  it('keeps an idle connection between requests open for longer', async () => {
    const client = await connectTo(server, door);
    client.socket.write(`${start}\r\n`);
    await client.until('\r\n\r\n');
    await sleep(pace.timeoutMs + 4 * pace.checkEveryMs);
    client.socket.write(`${start}Connection: close\r\n\r\n`);
    expect(statusesIn(await client.closed())).toHaveLength(2);
  });

  it('rejects a head over 16 KB, and closes', async () => {
    const client = await connectTo(server, door);
    client.socket.write(`${start}X: ${'x'.repeat(20_000)}\r\n\r\n`);
    const { status, headers } = parseAnswer(await client.closed());
    expect([status, headers.get('connection')]).toEqual([door === 's3' ? 400 : 431, 'close']);
  });
});
