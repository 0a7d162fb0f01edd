import { setTimeout as sleep } from 'node:timers/promises';

import { describe, expect, it, onTestFinished, vi } from 'vitest';

import { batchUrls, maxTries, purgeQueue, type PurgeQueueOptions } from '#server/backends/purge-queue.ts';
import { CdnUnavailable } from '#server/domain/ports/cdn.ts';

/** A queue before a CDN that agrees to everything, until the test says otherwise. */
function start(options: Partial<PurgeQueueOptions> = {}) {
  const calls: Array<readonly string[]> = [];
  const faults: string[] = [];
  const cdn = {
    isDown: false,
    takesMs: 0,
    async purge(urls: readonly string[]) {
      calls.push(urls);
      if (this.takesMs > 0) await sleep(this.takesMs);
      if (this.isDown) throw new CdnUnavailable('down');
    },
  };
  const queue = purgeQueue({ cdn, onFault: (error) => void faults.push((error as Error).message), delayMs: 5, retryMs: 20, ...options });
  onTestFinished(() => queue.stop());
  return { calls, faults, cdn, queue };
}

const many = (count: number) => Array.from({ length: count }, (_, at) => `https://cdn.example.com/${at}`);

describe('purgeQueue()', () => {
  it('gathers what comes together, names each URL once, and tells it in batches', async () => {
    const { calls, queue } = start();
    for (const url of many(250)) queue.purgeLater([url, url]);
    await vi.waitFor(() => expect(calls.map((urls) => urls.length)).toEqual([batchUrls, batchUrls, 50]));
    expect(calls.flat()).toEqual(many(250));
  });

  it('keeps what a CDN does not agree to and tells it again, behind the others', async () => {
    const { calls, faults, cdn, queue } = start({ retryMs: 30 });
    cdn.isDown = true;
    queue.purgeLater(many(batchUrls + 1));
    await vi.waitFor(() => expect(faults).toEqual(['down']), { interval: 1 });
    cdn.isDown = false;
    await vi.waitFor(() => expect(calls.flat()).toHaveLength(2 * batchUrls + 1));
    const [first, ...again] = calls;
    expect(again.flat()).toEqual([many(batchUrls + 1).at(-1), ...first!]);
    expect(faults).toHaveLength(1);
  });

  it('gives up what a CDN never agrees to, and says so', async () => {
    const { calls, faults, cdn, queue } = start({ retryMs: 0 });
    cdn.isDown = true;
    queue.purgeLater(many(2));
    await vi.waitFor(() => expect(faults.at(-1)).toMatch(/^The CDN was not told of 2 changed files\./), { timeout: 5000 });
    expect(calls).toHaveLength(maxTries);
  });

  it('holds only so many, and says how many it does not', () => {
    const { faults, queue } = start({ maxWaiting: 10, delayMs: 60_000 });
    queue.purgeLater(many(15));
    expect(faults).toEqual([expect.stringMatching(/^The CDN was not told of 5 changed files\./)]);
    // What waits already takes no room.
    queue.purgeLater(many(10));
    expect(faults).toHaveLength(1);
  });

  it('tells at once what somebody waits for, and not a second time later', async () => {
    const { calls, queue } = start();
    queue.purgeLater(many(2));
    await queue.purge(many(1));
    await vi.waitFor(() => expect(calls).toEqual([many(1), [many(2)[1]]]));
  });

  it('lets whoever waits know that the CDN did not agree, and tries again by itself', async () => {
    const { calls, faults, cdn, queue } = start();
    cdn.isDown = true;
    await expect(queue.purge(many(1))).rejects.toThrow(CdnUnavailable);
    expect(faults).toEqual(['down']);
    cdn.isDown = false;
    await vi.waitFor(() => expect(calls).toEqual([many(1), many(1)]));
  });

  it('tells what is left when it is stopped', async () => {
    const { calls, faults, queue } = start({ delayMs: 60_000 });
    queue.purgeLater(many(150));
    await queue.stop();
    expect(calls.flat()).toEqual(many(150));
    expect(faults).toEqual([]);
  });

  it('is not kept from stopping by a CDN that fails, and says what is left', async () => {
    const { calls, faults, cdn, queue } = start({ delayMs: 60_000 });
    cdn.isDown = true;
    queue.purgeLater(many(150));
    await queue.stop();
    expect(calls).toHaveLength(1);
    expect(faults).toEqual(['down', expect.stringMatching(/^The CDN was not told of 150 changed files before the server stopped\./)]);
  });

  it('is not kept from stopping by a CDN that is slow', async () => {
    const { calls, faults, cdn, queue } = start({ stopTimeoutMs: 50 });
    cdn.takesMs = 40;
    queue.purgeLater(many(5000));
    await vi.waitFor(() => expect(calls.length).toBeGreaterThan(0));
    await queue.stop();
    expect(calls.length).toBeLessThan(10);
    expect(faults.at(-1)).toMatch(/before the server stopped/);
  });
});
