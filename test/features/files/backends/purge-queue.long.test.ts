import { setTimeout as sleep } from 'node:timers/promises';

import { describe, expect, it, onTestFinished } from 'vitest';

import {
  batchUrls,
  callMs,
  maxTries,
  purgeQueue,
  type PurgeQueueOptions,
} from '#server/features/files/backends/purge-queue.ts';
import { CdnUnavailable } from '#server/domain/ports/cdn.ts';
import { randomIds } from '#server/stores/system/ids.ts';
import { eventually } from '#test/support/eventually.ts';
import { openTestStores } from '#test/support/stores.ts';

/** Starts a queue in front of a CDN that accepts everything until the test changes that. Its clock runs. */
async function start({ isServing = true, ...options }: Partial<PurgeQueueOptions> & { isServing?: boolean } = {}) {
  const stores = await openTestStores();
  const ticking = setInterval(() => stores.clock.advance(5), 5);
  onTestFinished(() => clearInterval(ticking));
  const calls: Array<readonly string[]> = [];
  const faults: string[] = [];
  const cdn = {
    isDown: false,
    /** This many of the next calls fail. */
    failures: 0,
    /** Calls with one of these URLs fail. */
    bad: new Set<string>(),
    /** The URLs of calls that succeeded. */
    agreed: new Set<string>(),
    /** Each call waits for this promise. */
    waits: async (_urls: readonly string[]) => {},
    async purge(urls: readonly string[]) {
      calls.push(urls);
      await this.waits(urls);
      if (this.isDown || this.failures-- > 0 || urls.some((url) => this.bad.has(url))) throw new CdnUnavailable('down');
      for (const url of urls) this.agreed.add(url);
    },
  };
  const open = () => {
    const opened = purgeQueue({
      metadata: stores.metadata,
      hook: cdn,
      onFault: (error) => void faults.push((error as Error).message),
      delayMs: 5,
      retryMs: 20,
      pollMs: 10,
      ...options,
    });
    if (isServing) opened.begin();
    return opened;
  };
  const queue = open();
  // The stores are closed after it.
  const stop = async () => {
    cdn.isDown = false;
    cdn.bad.clear();
    await queue.stop();
  };
  onTestFinished(stop);
  /** Notes the URLs in one transaction each, as changes do. */
  const note = async (urls: readonly string[], changeId: string | null = null) => {
    await Promise.all(
      urls.map((url) =>
        stores.metadata.atomically((tx) =>
          tx.purges.add({ id: randomIds.orderedId(tx.now), url, changeId, dueAt: tx.now + (changeId ? 30_000 : 0) }),
        ),
      ),
    );
    queue.nudge();
  };
  const isLeft = () => stores.metadata.read.purges.any();
  return { stores, calls, faults, cdn, queue, open, note, isLeft };
}

const many = (count: number) => Array.from({ length: count }, (_, at) => `https://cdn.example.com/${at}`);

describe('purgeQueue()', () => {
  it('sends waiting URLs in batches, each once, and removes them', async () => {
    const { calls, note, isLeft } = await start({ isServing: false });
    await note(many(250));
    await eventually(() => expect(calls.flat()).toHaveLength(250));
    expect(calls.map((urls) => urls.length)).toEqual([batchUrls, batchUrls, 50]);
    expect(new Set(calls.flat())).toEqual(new Set(many(250)));
    await expect.poll(isLeft).toBe(false);
  });

  it('names a URL once in a call, however often it changed', async () => {
    const { calls, note, isLeft } = await start({ isServing: false });
    await note(many(2).flatMap((url) => [url, url, url]));
    await eventually(() => expect(calls.map((urls) => [...urls].sort())).toEqual([many(2)]));
    await expect.poll(isLeft).toBe(false);
  });

  it('sends rejected URLs again, after the others', async () => {
    const { calls, faults, cdn, note } = await start({ retryMs: 30, isServing: false });
    cdn.failures = 1;
    await note(many(batchUrls + 1));
    await eventually(() => expect(calls.flat()).toHaveLength(2 * batchUrls + 1));
    const [first, second, ...again] = calls;
    expect(second).toHaveLength(1);
    expect(first).not.toContain(second![0]);
    expect(again.flat()).toEqual(first);
    expect(faults).toHaveLength(1);
  });

  it('drops URLs that the CDN never accepts, and reports them', async () => {
    const { calls, faults, cdn, note, isLeft } = await start({ retryMs: 0, pollMs: 2 });
    cdn.isDown = true;
    await note(many(2));
    await eventually(() =>
      expect(faults.filter((fault) => fault.startsWith('The CDN was not told of 1 changed files.'))).toHaveLength(2),
    );
    for (const url of many(2)) expect(calls.flat().filter((told) => told === url)).toHaveLength(maxTries);
    expect(await isLeft()).toBe(false);
  });

  it('sends URLs of purge() at once, and then removes what its change has noted', async () => {
    const { stores, calls, queue, note, isLeft } = await start();
    await note(many(1), 'change');
    await queue.purge(many(1), 'change');
    expect(calls).toEqual([many(1)]);
    expect(await isLeft()).toBe(false);
    stores.clock.advance(60_000);
    await sleep(30);
    expect(calls).toHaveLength(1);
  });

  it('rejects purge() when the CDN fails, and leaves what its change has noted', async () => {
    const { calls, faults, cdn, queue, note, isLeft } = await start();
    await note(many(1), 'change');
    cdn.isDown = true;
    await expect(queue.purge(many(1), 'change')).rejects.toThrow(CdnUnavailable);
    expect([faults, calls]).toEqual([['down'], [many(1)]]);
    expect(await isLeft()).toBe(true);
  });

  it('sends the others at once when the CDN rejects one URL of a batch, and that URL alone again', async () => {
    const { calls, cdn, note } = await start({ retryMs: 60_000, isServing: false });
    const [bad] = many(1);
    cdn.bad.add(bad!);
    const agreed = () => new Set(calls.filter((urls) => !urls.includes(bad!)).flat());
    await note(many(batchUrls));
    await eventually(() => expect(agreed().size).toBe(batchUrls - 1));
    expect(calls.at(-1)!.length).toBeLessThan(3);
    expect(calls.length).toBeLessThan(20);
    // Later URLs do not wait for the next try.
    await note(['https://cdn.example.com/new']);
    await eventually(() => expect(calls.at(-1)).toEqual(['https://cdn.example.com/new']));
  });

  it('sends other URLs while a call takes long', async () => {
    const { calls, cdn, note } = await start();
    const long = Promise.withResolvers<void>();
    cdn.waits = () => long.promise;
    await note(many(1));
    await eventually(() => expect(calls).toHaveLength(1));
    cdn.waits = async () => {};
    await note(['https://cdn.example.com/new']);
    await eventually(() => expect(calls.at(-1)).toEqual(['https://cdn.example.com/new']));
    long.resolve();
  });

  it('sends new URLs at once, however many URLs the CDN rejects', async () => {
    const { calls, cdn, note } = await start({ retryMs: 60_000 });
    for (const url of many(50)) cdn.bad.add(url);
    await note(many(50));
    await eventually(() => expect(calls.length).toBeGreaterThanOrEqual(10));
    for (const url of ['https://cdn.example.com/new', 'https://cdn.example.com/newer']) {
      await note([url]);
      await eventually(() => expect(calls).toContainEqual([url]));
    }
  });

  it('sends new URLs while calls for all rejected URLs are stuck', async () => {
    const { calls, cdn, note } = await start({ retryMs: 300 });
    for (const url of many(8)) cdn.bad.add(url);
    await note(many(8));
    const alone = () => new Set(calls.filter((urls) => urls.length === 1).flat());
    await eventually(() => expect(alone().size).toBe(8));
    const told = calls.length;
    const long = Promise.withResolvers<void>();
    cdn.waits = async ([url]) => (cdn.bad.has(url!) ? long.promise : undefined);
    await eventually(() => expect(calls.length).toBeGreaterThan(told));
    await note(['https://cdn.example.com/new']);
    await eventually(() => expect(calls).toContainEqual(['https://cdn.example.com/new']));
    cdn.bad.clear();
    long.resolve();
  });

  it('pauses while every call fails, and sends everything once the CDN works', async () => {
    const { calls, cdn, note } = await start({ retryMs: 200, delayMs: 200 });
    await note(many(1000));
    cdn.isDown = true;
    await eventually(() => expect(calls.length).toBeGreaterThanOrEqual(10));
    await sleep(50);
    expect(calls.length).toBeLessThan(15);
    cdn.isDown = false;
    await eventually(() => expect(cdn.agreed.size).toBe(1000));
  });

  it('sends the due URLs when it is stopped', async () => {
    const { calls, faults, queue, note, isLeft } = await start({ delayMs: 60_000, isServing: false });
    await note(many(150));
    await queue.stop();
    expect(new Set(calls.flat())).toEqual(new Set(many(150)));
    expect(faults).toEqual([]);
    expect(await isLeft()).toBe(false);
  });

  it('stops although the CDN fails, and leaves the URLs to the next process', async () => {
    const { calls, cdn, queue, open, note, isLeft } = await start({ delayMs: 60_000, isServing: false });
    cdn.isDown = true;
    await note(many(150));
    await queue.stop();
    expect(calls.length).toBeLessThan(20);
    expect(await isLeft()).toBe(true);
    cdn.isDown = false;
    const before = calls.length;
    const next = open();
    next.nudge();
    await next.stop();
    expect(new Set(calls.slice(before).flat())).toEqual(new Set(many(150)));
  });

  it('stops although the CDN is slow', async () => {
    const { calls, cdn, queue, note, isLeft } = await start({ stopTimeoutMs: 50, delayMs: 60_000, isServing: false });
    cdn.waits = () => sleep(40);
    await note(many(2000));
    await queue.stop();
    expect(calls.length).toBeGreaterThan(0);
    expect(calls.length).toBeLessThan(15);
    expect(await isLeft()).toBe(true);
  });

  it('takes what a killed process has left, once its time is over', async () => {
    const { stores, calls, note, isLeft } = await start();
    await stores.metadata.atomically(async (tx) => {
      await tx.purges.add({ id: 'a', url: 'https://cdn.example.com/a', changeId: null, dueAt: tx.now });
      await tx.purges.takeNew(1, tx.now + callMs);
    });
    await note(many(1));
    await eventually(() => expect(calls).toEqual([many(1)]));
    stores.clock.advance(callMs);
    await eventually(() => expect(calls.at(-1)).toEqual(['https://cdn.example.com/a']));
    await expect.poll(isLeft).toBe(false);
  });

  it('sends what it has taken when the store fails at the next batch', async () => {
    const { stores, calls, faults, cdn, note } = await start({ delayMs: 60_000, isServing: false });
    await note(many(batchUrls + 1));
    let writes = 0;
    const metadata: PurgeQueueOptions['metadata'] = {
      read: stores.metadata.read,
      atomically: (work, options) =>
        ++writes === 2 ? Promise.reject(new Error('away')) : stores.metadata.atomically(work, options),
    };
    const queue = purgeQueue({ metadata, hook: cdn, onFault: (error) => void faults.push((error as Error).message) });
    queue.nudge();
    await eventually(() => expect(calls.map((urls) => urls.length)).toEqual([batchUrls, 1]));
    expect(faults).toEqual(['away']);
    await queue.stop();
  });

  it('asks nothing of the store when it is stopped without a change', async () => {
    const metadata = { atomically: () => expect.unreachable('it wrote'), read: {} } as never;
    await purgeQueue({ metadata, hook: { purge: async () => {} }, onFault: () => {} }).stop();
  });
});
