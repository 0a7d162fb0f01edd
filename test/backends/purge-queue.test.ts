import { setTimeout as sleep } from 'node:timers/promises';

import { describe, expect, it, onTestFinished, vi } from 'vitest';

import { batchUrls, maxTries, purgeQueue, type PurgeQueueOptions } from '#server/backends/purge-queue.ts';
import { CdnUnavailable } from '#server/domain/ports/cdn.ts';
import { eventually } from '#test/support/eventually.ts';

/** Starts a queue in front of a CDN that accepts everything until the test changes that. */
function start(options: Partial<PurgeQueueOptions> = {}) {
  const calls: Array<readonly string[]> = [];
  const faults: string[] = [];
  const cdn = {
    isDown: false,
    /** This many of the next calls fail. */
    failures: 0,
    /** Calls with one of these URLs fail. */
    bad: new Set<string>(),
    /** Each call waits for this promise. */
    waits: async (_urls: readonly string[]) => {},
    async purge(urls: readonly string[]) {
      calls.push(urls);
      await this.waits(urls);
      if (this.isDown || this.failures-- > 0 || urls.some((url) => this.bad.has(url))) throw new CdnUnavailable('down');
    },
  };
  const queue = purgeQueue({
    cdn,
    onFault: (error) => void faults.push((error as Error).message),
    delayMs: 5,
    retryMs: 20,
    ...options,
  });
  onTestFinished(() => queue.stop());
  return { calls, faults, cdn, queue };
}

const many = (count: number) => Array.from({ length: count }, (_, at) => `https://cdn.example.com/${at}`);

describe('purgeQueue()', () => {
  it('collects URLs, drops repeated ones, and sends them in batches', async () => {
    const { calls, queue } = start();
    for (const url of many(250)) queue.purgeLater([url, url]);
    await eventually(() => expect(calls.map((urls) => urls.length)).toEqual([batchUrls, batchUrls, 50]));
    expect(calls.flat()).toEqual(many(250));
  });

  it('sends rejected URLs again, after the others', async () => {
    const { calls, faults, cdn, queue } = start({ retryMs: 30 });
    cdn.failures = 1;
    queue.purgeLater(many(batchUrls + 1));
    await eventually(() => expect(calls.flat()).toHaveLength(2 * batchUrls + 1));
    const [first, ...again] = calls;
    expect(again.flat()).toEqual([many(batchUrls + 1).at(-1), ...first!]);
    expect(faults).toHaveLength(1);
  });

  it('drops URLs that the CDN never accepts, and reports them', async () => {
    const { calls, faults, cdn, queue } = start({ retryMs: 0 });
    cdn.isDown = true;
    queue.purgeLater(many(2));
    await vi.waitFor(
      () =>
        expect(faults.filter((fault) => fault.startsWith('The CDN was not told of 1 changed files.'))).toHaveLength(2),
      { timeout: 5000 },
    );
    for (const url of many(2)) expect(calls.flat().filter((told) => told === url)).toHaveLength(maxTries);
  });

  it('holds a limited number of URLs, and reports how many it drops', () => {
    const { faults, queue } = start({ maxWaiting: 10, delayMs: 60_000 });
    queue.purgeLater(many(15));
    expect(faults).toEqual([expect.stringMatching(/^The CDN was not told of 5 changed files\./)]);
    // URLs that already wait need no more room.
    queue.purgeLater(many(10));
    expect(faults).toHaveLength(1);
  });

  it('sends URLs of purge() at once, and not a second time later', async () => {
    const { calls, queue } = start();
    queue.purgeLater(many(2));
    await queue.purge(many(1));
    await eventually(() => expect(calls).toEqual([many(1), [many(2)[1]]]));
  });

  it('rejects purge() when the CDN fails, and sends only the URLs again that waited before', async () => {
    const { calls, faults, cdn, queue } = start();
    queue.purgeLater(many(1));
    cdn.isDown = true;
    await expect(queue.purge(many(2))).rejects.toThrow(CdnUnavailable);
    expect(faults).toEqual(['down']);
    cdn.isDown = false;
    await eventually(() => expect(calls).toEqual([many(2), many(1)]));
    await sleep(50);
    expect(calls).toHaveLength(2);
  });

  it('sends the others at once when the CDN rejects one URL of a batch, and that URL alone again', async () => {
    const { calls, cdn, queue } = start({ retryMs: 60_000 });
    const [bad] = many(1);
    cdn.bad.add(bad!);
    const agreed = () => new Set(calls.filter((urls) => !urls.includes(bad!)).flat());
    queue.purgeLater(many(batchUrls));
    await eventually(() => expect(agreed().size).toBe(batchUrls - 1));
    expect(calls.at(-1)!.length).toBeLessThan(3);
    expect(calls.length).toBeLessThan(20);
    // Later URLs do not wait for the next try.
    queue.purgeLater(['https://cdn.example.com/new']);
    await eventually(() => expect(calls.at(-1)).toEqual(['https://cdn.example.com/new']));
  });

  it('sends other URLs while a call takes long', async () => {
    const { calls, cdn, queue } = start();
    const long = Promise.withResolvers<void>();
    cdn.waits = () => long.promise;
    queue.purgeLater(many(1));
    await eventually(() => expect(calls).toHaveLength(1));
    cdn.waits = async () => {};
    queue.purgeLater(['https://cdn.example.com/new']);
    await eventually(() => expect(calls.at(-1)).toEqual(['https://cdn.example.com/new']));
    long.resolve();
  });

  it('sends new URLs at once, however many URLs the CDN rejects', async () => {
    const { calls, cdn, queue } = start({ retryMs: 60_000 });
    for (const url of many(50)) cdn.bad.add(url);
    queue.purgeLater(many(50));
    await eventually(() => expect(calls.length).toBeGreaterThanOrEqual(10));
    for (const url of ['https://cdn.example.com/new', 'https://cdn.example.com/newer']) {
      queue.purgeLater([url]);
      await eventually(() => expect(calls).toContainEqual([url]));
    }
  });

  it('sends new URLs while calls for all rejected URLs are stuck', async () => {
    const { calls, cdn, queue } = start({ retryMs: 300 });
    for (const url of many(8)) cdn.bad.add(url);
    queue.purgeLater(many(8));
    await eventually(() => expect(calls.filter((urls) => urls.length === 1)).toHaveLength(8));
    const told = calls.length;
    const long = Promise.withResolvers<void>();
    cdn.waits = async ([url]) => (cdn.bad.has(url!) ? long.promise : undefined);
    await eventually(() => expect(calls.length).toBeGreaterThan(told));
    queue.purgeLater(['https://cdn.example.com/new']);
    await eventually(() => expect(calls).toContainEqual(['https://cdn.example.com/new']));
    cdn.bad.clear();
    long.resolve();
  });

  it('pauses while every call fails, and sends everything once the CDN works', async () => {
    const { calls, cdn, queue } = start({ retryMs: 200 });
    cdn.isDown = true;
    queue.purgeLater(many(1000));
    await sleep(150);
    const failed = calls.length;
    expect(failed).toBeLessThan(15);
    cdn.isDown = false;
    await vi.waitFor(() => expect(new Set(calls.slice(failed).flat()).size).toBe(1000), { timeout: 3000 });
  });

  it('sends the remaining URLs when it is stopped', async () => {
    const { calls, faults, queue } = start({ delayMs: 60_000 });
    queue.purgeLater(many(150));
    await queue.stop();
    expect(calls.flat()).toEqual(many(150));
    expect(faults).toEqual([]);
  });

  it('stops although the CDN fails, and reports the remaining URLs', async () => {
    const { calls, faults, cdn, queue } = start({ delayMs: 60_000 });
    cdn.isDown = true;
    queue.purgeLater(many(150));
    await queue.stop();
    expect(calls.length).toBeLessThan(15);
    expect(faults.slice(-2)).toEqual([
      'down',
      expect.stringMatching(/^The CDN was not told of 150 changed files before the server stopped\./),
    ]);
  });

  it('stops although the CDN is slow', async () => {
    const { calls, faults, cdn, queue } = start({ stopTimeoutMs: 50 });
    cdn.waits = () => sleep(40);
    queue.purgeLater(many(5000));
    await eventually(() => expect(calls.length).toBeGreaterThan(0));
    await queue.stop();
    expect(calls.length).toBeLessThan(10);
    expect(faults.at(-1)).toMatch(/before the server stopped/);
  });
});
