import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';

import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { revokeKey } from '#server/domain/access/revoke-key.ts';
import { exchange } from '#test/s3/exchange.ts';
import { gatewayOf, someBytes, startGateway, type Gateway } from '#test/s3/gateway.ts';
import { sign, type S3Request } from '#test/s3/signed-request.ts';
import { metricsOf } from '#test/metrics/scraped.ts';
import { chosenReplicas } from '#test/support/chosen-store.ts';
import { TestClock } from '#test/support/clock.ts';

/** How long before the end of a window the requests come that wait for the next one. */
const beforeEndMs = 400;

let gateway: Gateway;
beforeAll(async () => {
  // It stands still, so that no window ends while requests come.
  gateway = await startGateway({ rateLimits: true, clock: new TestClock(Date.now()) });
});
afterAll(() => gateway?.stop());

/** Returns an account on Hobby that has used up its window, which ends soon. */
async function usedUp(endsInMs = beforeEndMs): Promise<Gateway> {
  const own = await gatewayOf(gateway.server, await gateway.server.account('hobby'));
  const answers = await Promise.all(Array.from({ length: 100 }, () => exchange(own, { path: '/' })));
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
  gateway.server.clock.advance(10_000 - endsInMs);
  return own;
}

/** Sends the head of a request, and its body when `body()` is called. */
function opened(own: Gateway, request: S3Request): { socket: Socket; body(): void } {
  const wire = sign(own, request);
  const socket = connect(Number(new URL(own.url).port), '127.0.0.1');
  const headers = wire.headers.map(([name, value]) => `${name}: ${value}\r\n`).join('');
  socket.write(`${wire.method} ${wire.target} HTTP/1.1\r\n${headers}connection: close\r\n`);
  socket.write('expect: 100-continue\r\n\r\n');
  return { socket, body: () => void socket.write(wire.body) };
}

describe('requests over the rate of the plan', () => {
  test('wait for the next window, at most one window of them, and the others get SlowDown', async () => {
    const own = await usedUp();
    const since = performance.now();
    const answers = await Promise.all(
      Array.from({ length: 110 }, async () => ({
        ...(await exchange(own, { path: '/' })),
        tookMs: performance.now() - since,
      })),
    );
    const served = answers.filter(({ status }) => status === 200);
    expect(served).toHaveLength(100);
    for (const { tookMs } of served) expect(tookMs).toBeGreaterThan(beforeEndMs - 50);
    const refused = answers.filter(({ status }) => status !== 200);
    for (const { status, headers, body } of refused) {
      expect([status, String(body)]).toEqual([503, expect.stringContaining('<Code>SlowDown</Code>')]);
      expect(Number(headers['retry-after'])).toBeGreaterThan(0);
      expect(headers['ratelimit-policy']).toBe('"s3";q=100;w=10');
    }
  });

  test('get their 100 Continue only when their place comes', async () => {
    const own = await usedUp();
    const since = performance.now();
    const { socket, body } = opened(own, { method: 'PUT', path: '/private/late', body: someBytes(900) });
    const [first] = await once(socket, 'data');
    expect(String(first)).toBe('HTTP/1.1 100 Continue\r\n\r\n');
    expect(performance.now() - since).toBeGreaterThan(beforeEndMs - 50);
    body();
    expect(await text(socket)).toMatch(/^HTTP\/1\.1 200 OK/);
  });

  // Each replica counts its own.
  test.skipIf(chosenReplicas > 1)(
    'are counted: those that wait, how long they did, and those that were refused',
    async () => {
      const own = await usedUp();
      const before = await metricsOf(gateway.server);
      await Promise.all(Array.from({ length: 101 }, () => exchange(own, { path: '/' })));
      const after = await metricsOf(gateway.server);
      const grown = (name: string, labels = {}) =>
        after.value(name, { limit: 's3', ...labels }) - before.value(name, { limit: 's3', ...labels });
      expect(grown('cubby_request_wait_seconds_count')).toBe(100);
      expect(grown('cubby_request_wait_seconds_sum')).toBeGreaterThan((100 * (beforeEndMs - 50)) / 1000);
      expect(grown('cubby_request_waits_refused_total', { reason: 'refused' })).toBe(1);
      expect(after.value('cubby_requests_waiting')).toBe(0);
    },
  );

  test('give their place back when the client leaves', async () => {
    const own = await usedUp(9_000);
    for (let round = 0; round < 2; round++) {
      const waiting = Array.from({ length: 100 }, (_, index) =>
        opened(own, { method: 'PUT', path: `/private/gone${index}`, body: someBytes(900) }),
      );
      await expect.poll(() => waitingOf('s3')).toBe(100 / chosenReplicas);
      for (const { socket } of waiting) socket.resetAndDestroy();
      await expect.poll(() => waitingOf('s3')).toBe(0);
    }
  });

  test('are refused when their key ends while they wait', async () => {
    const own = await usedUp(2_000);
    const waits = Promise.all(Array.from({ length: chosenReplicas }, () => exchange(own, { path: '/' })));
    await expect.poll(() => waitingOf('s3')).toBeGreaterThan(0);
    await revokeKey(gateway.server.running.app.stores, own.account.keyId);
    for (const answer of await waits) expect(answer.text).toContain('<Code>InvalidAccessKeyId</Code>');
  });

  test('say in the log how long they waited', async () => {
    const own = await usedUp();
    await exchange(own, { path: '/' });
    const line = gateway.server.log.findLast(({ account, waited_ms: waited }) => account === own.account.id && waited);
    expect(line).toMatchObject({ operation: 's3.ListBuckets', status: 200, waited_ms: expect.any(Number) });
  });
});

const waitingOf = async (limit: string): Promise<number> =>
  (await metricsOf(gateway.server)).value('cubby_requests_waiting', { limit });
