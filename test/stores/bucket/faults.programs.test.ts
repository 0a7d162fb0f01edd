import { randomBytes } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';

import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';

import { BlobMissing, BlobStoreFull, BlobStoreUnavailable } from '#server/domain/ports/blobs.ts';
import type { BucketBlobStore } from '#server/stores/bucket/bucket-blobs.ts';
import { BucketRefused } from '#server/stores/bucket/errors.ts';
import type { BucketOptions } from '#server/stores/bucket/options.ts';
import { startDelayingProxy } from '#test/support/delaying-proxy.ts';
import { startFaultProxy, type Cut } from '#test/support/fault-proxy.ts';
import { startFaultyHttp, type FaultyHttp } from '#test/support/faulty-http.ts';
import { chunks, newBlobId } from '../blob-store-conformance.ts';
import { startGatewayBucket, type GatewayBucket } from './gateway-bucket.ts';

let bucket: GatewayBucket;

beforeAll(async () => void (bucket = await startGatewayBucket()));
afterAll(() => bucket.gateway.stop());

const mib = 1024 * 1024;
const impatient: BucketOptions['timeouts'] = { connectMs: 1_000, answerMs: 300, joinedMs: 300, stallMs: 300 };

interface Faulty {
  /** Over the faults. */
  readonly store: BucketBlobStore;
  /** The same blobs without the faults. */
  readonly real: BucketBlobStore;
  readonly proxy: FaultyHttp;
  leftovers(): Promise<string[]>;
}

async function startFaulty(options: Partial<BucketOptions> = {}): Promise<Faulty> {
  const proxy = await startFaultyHttp(bucket.gateway.url);
  const place = bucket.place();
  const store = bucket.store({ ...place, endpoint: proxy.url }, options);
  const real = bucket.store(place);
  onTestFinished(async () => {
    await store.close();
    await real.close();
  });
  return { store, real, proxy, leftovers: () => bucket.leftovers(place) };
}

/** Returns a function that calls `fault` for the first `count` requests that match, and nothing for the others. */
function first<T>(count: number, pattern: RegExp, fault: T): (line: string) => T | undefined {
  let left = count;
  return (line) => (pattern.test(line) && left-- > 0 ? fault : undefined);
}

const slowDown = { kind: 'status', status: 503, body: '<Error><Code>SlowDown</Code></Error>' } as const;
const requests = (proxy: FaultyHttp, pattern: RegExp) => proxy.seen.filter((line) => pattern.test(line)).length;

describe('a bucket that answers 503 now and then', () => {
  it('is asked again, for what may be repeated', async () => {
    const { store, proxy } = await startFaulty();
    const blobId = newBlobId();
    const bytes = randomBytes(20_000);
    proxy.fault = first(2, /^PUT/, slowDown);
    await store.put(blobId, chunks([bytes]));
    proxy.fault = first(2, /^GET/, slowDown);
    expect((await buffer(await store.open(blobId))).equals(bytes)).toBe(true);
    proxy.fault = first(1, /^DELETE/, slowDown);
    await store.delete(blobId);
    expect(requests(proxy, /^PUT/)).toBe(3);
    await expect(store.open(blobId)).rejects.toBeInstanceOf(BlobMissing);
  });

  it('stores a file in parts although parts and the completion fail at first', async () => {
    const { store, proxy, leftovers } = await startFaulty();
    const blobId = newBlobId();
    const bytes = randomBytes(18 * mib);
    const faults = [first(1, /partNumber=2/, slowDown), first(1, /^POST .*uploadId=/, slowDown)];
    proxy.fault = (line) => faults.map((fault) => fault(line)).find(Boolean);
    await store.put(blobId, chunks([bytes]));
    expect((await buffer(await store.open(blobId))).equals(bytes)).toBe(true);
    expect(await leftovers()).toEqual([]);
  });

  it('is not asked again for bytes that are gone, and keeps nothing', async () => {
    const { store, real, proxy } = await startFaulty();
    const blobId = newBlobId();
    proxy.fault = first(1, /^PUT/, slowDown);
    const put = store.put(blobId, chunks([randomBytes(2 * mib)]), { announcedBytes: 2 * mib, isExact: true });
    await expect(put).rejects.toBeInstanceOf(BlobStoreUnavailable);
    expect(requests(proxy, /^PUT/)).toBe(1);
    await expect(real.open(blobId)).rejects.toBeInstanceOf(BlobMissing);
  });

  it('gets at most a tenth of the requests again', async () => {
    const { store, proxy } = await startFaulty();
    const blobId = newBlobId();
    await store.put(blobId, chunks(['a']));
    let count = 0;
    // Every second request fails, so the bucket is not down.
    proxy.fault = () => (count++ % 2 ? slowDown : undefined);
    const before = proxy.seen.length;
    let opened = 0;
    for (let at = 0; at < 200; at++) {
      const stream = await store.open(blobId).catch(() => undefined);
      if (stream) opened++;
      await (stream && buffer(stream));
    }
    expect(opened).toBeGreaterThan(90);
    // The budget starts with ten retries.
    expect(proxy.seen.length - before).toBeLessThanOrEqual(200 + 10 + 20 + 1);
  });
});

describe('a bucket that is full', () => {
  it('is reported as such', async () => {
    const { store, proxy } = await startFaulty();
    proxy.fault = () => ({ kind: 'status', status: 403, body: '<Error><Code>QuotaExceeded</Code></Error>' });
    await expect(store.put(newBlobId(), chunks(['a']))).rejects.toBeInstanceOf(BlobStoreFull);
  });
});

describe('a bucket that refuses the key pair', () => {
  it('fails, and names the reason', async () => {
    const place = bucket.place();
    const store = bucket.store({ ...place, secretAccessKey: 'wrong' });
    onTestFinished(() => store.close());
    const opening = store.open(newBlobId());
    await expect(opening).rejects.toBeInstanceOf(BucketRefused);
    await expect(opening).rejects.toThrow('The bucket could not open a blob: it answered 403 SignatureDoesNotMatch.');
  });
});

describe('a bucket that hangs', () => {
  it('is given up in time, then refuses within milliseconds, and is back by itself', async () => {
    const changes: boolean[] = [];
    const { store, proxy } = await startFaulty({
      timeouts: impatient,
      probePauseMs: 100,
      onDown: (isDown) => void changes.push(isDown),
    });
    const blobId = newBlobId();
    await store.put(blobId, chunks(['a']));
    proxy.fault = () => ({ kind: 'hang' });
    const startedAt = performance.now();
    const openings = await Promise.allSettled(Array.from({ length: 12 }, () => store.open(blobId)));
    expect(openings.every(({ status }) => status === 'rejected')).toBe(true);
    expect(performance.now() - startedAt).toBeLessThan(5_000);
    expect(store.isDown).toBe(true);
    const seen = proxy.seen.filter((line) => line.includes(blobId)).length;
    const refusalsMs: number[] = [];
    for (let at = 0; at < 20; at++) {
      const refusedAt = performance.now();
      await expect(store.open(blobId)).rejects.toBeInstanceOf(BlobStoreUnavailable);
      refusalsMs.push(performance.now() - refusedAt);
    }
    expect(Math.min(...refusalsMs)).toBeLessThan(5);
    await expect(store.put(newBlobId(), chunks(['b']))).rejects.toBeInstanceOf(BlobStoreUnavailable);
    expect(proxy.seen.filter((line) => line.includes(blobId))).toHaveLength(seen);
    expect(
      store.addressOf(blobId, { contentType: 'a/b', disposition: 'inline', cacheControl: '' }, 60),
    ).toBeUndefined();
    proxy.fault = () => undefined;
    await expect.poll(() => store.isDown).toBe(false);
    expect(String(await buffer(await store.open(blobId)))).toBe('a');
    expect(changes).toEqual([true, false]);
  });

  it('fails an upload when it takes no more bytes, although the source has more', async () => {
    const proxy = await startDelayingProxy({ port: Number(new URL(bucket.gateway.url).port) });
    const place = { ...bucket.place(), endpoint: `http://127.0.0.1:${proxy.port}` };
    const store = bucket.store(place, { timeouts: { ...impatient, answerMs: 1_000 } });
    onTestFinished(async () => {
      await store.close();
      await proxy.close();
    });
    const sizeBytes = 64 * mib;
    let yielded = 0;
    const source = async function* () {
      for (; yielded < sizeBytes; yielded += mib) {
        if (yielded === 2 * mib) proxy.hang();
        yield randomBytes(mib);
      }
    };
    const startedAt = performance.now();
    const put = store.put(newBlobId(), source(), { announcedBytes: sizeBytes, isExact: true });
    await expect(put).rejects.toThrow('It took no bytes for too long.');
    expect(performance.now() - startedAt).toBeLessThan(10_000);
    expect(yielded).toBeLessThan(sizeBytes);
    proxy.heal();
  });

  it('fails nothing while a source pauses for longer than the bucket may', async () => {
    const { store, real } = await startFaulty({ timeouts: { ...impatient, answerMs: 1_000 } });
    const blobId = newBlobId();
    const source = async function* () {
      yield randomBytes(mib);
      await sleep(2_500);
      yield randomBytes(mib);
    };
    await store.put(blobId, source(), { announcedBytes: 2 * mib, isExact: true });
    expect(await buffer(await real.open(blobId))).toHaveLength(2 * mib);
  });

  it('answers an upload in its own time, and cleans up after that', async () => {
    const { store, proxy } = await startFaulty({ timeouts: { ...impatient, answerMs: 1_000 } });
    proxy.fault = () => ({ kind: 'hang' });
    const beganAt = performance.now();
    await expect(store.put(newBlobId(), chunks(['a']))).rejects.toThrow('It did not answer in time.');
    // The removal of what may have been stored hangs, too.
    expect(performance.now() - beganAt).toBeLessThan(6_000);
  });

  it('does not keep a client that has left', async () => {
    const { store, proxy } = await startFaulty();
    proxy.fault = () => ({ kind: 'hang' });
    const abort = new AbortController();
    const put = store.put(newBlobId(), chunks([randomBytes(30_000)]), { signal: abort.signal });
    setTimeout(() => abort.abort(new Error('gone')), 50);
    await expect(put).rejects.toThrow('gone');
    expect(store.isDown).toBe(false);
  });
});

describe('a bucket that stores other bytes than were sent', () => {
  const wrong = { kind: 'headers', headers: { etag: '"0123456789abcdef0123456789abcdef"' } } as const;

  it.each([
    ['in one request', 20_000, false],
    ['while they arrive', 2 * mib, true],
    ['in parts', 9 * mib, false],
  ])('is noticed by its ETag: %s', async (_, sizeBytes, isExact) => {
    const { store, real, proxy, leftovers } = await startFaulty();
    const blobId = newBlobId();
    proxy.fault = (line) => (line.startsWith('PUT') ? wrong : undefined);
    const put = store.put(blobId, chunks([randomBytes(sizeBytes)]), { announcedBytes: sizeBytes, isExact });
    await expect(put).rejects.toThrow('The bucket stored other bytes than were sent.');
    await expect(real.open(blobId)).rejects.toBeInstanceOf(BlobMissing);
    expect(await leftovers()).toEqual([]);
  });

  it('is told from one whose ETags are no MD5', async () => {
    const { store, proxy } = await startFaulty();
    proxy.fault = () => ({ kind: 'headers', headers: { etag: '"kms"' } });
    await expect(store.put(newBlobId(), chunks(['a']))).rejects.toThrow('SSE-KMS');
  });
});

describe('a put whose answer is lost', () => {
  it('is known to be stored when it is asked again', async () => {
    const { store, proxy, leftovers } = await startFaulty();
    const [small, large] = [newBlobId(), newBlobId()];
    proxy.fault = first(1, /^PUT/, { kind: 'lose' } as const);
    const bytes = randomBytes(30_000);
    await store.put(small, chunks([bytes]));
    expect((await buffer(await store.open(small))).equals(bytes)).toBe(true);
    proxy.fault = first(1, /^POST .*uploadId=/, { kind: 'lose' } as const);
    const more = randomBytes(9 * mib);
    await store.put(large, chunks([more]));
    expect((await buffer(await store.open(large))).equals(more)).toBe(true);
    expect(await leftovers()).toEqual([]);
  });

  it('and that appears later, is deleted once more', async () => {
    const { store, real, proxy } = await startFaulty({ deleteAgainMs: 1_500 });
    const blobId = newBlobId();
    proxy.fault = (line) => (line.startsWith('PUT') ? { kind: 'later', afterMs: 700 } : undefined);
    const put = store.put(blobId, chunks([randomBytes(2 * mib)]), { announcedBytes: 2 * mib, isExact: true });
    await expect(put).rejects.toBeInstanceOf(BlobStoreUnavailable);
    await expect(real.open(blobId)).rejects.toBeInstanceOf(BlobMissing);
    const isThere = async () =>
      real.open(blobId).then(
        async (stream) => !!(await buffer(stream)),
        () => false,
      );
    await expect.poll(isThere).toBe(true);
    await expect.poll(isThere).toBe(false);
  });
});

describe('a body that is cut off', () => {
  it.each([false, true])('fails the stream, with the bytes that are missing (abrupt: %s)', async (isAbrupt) => {
    const place = bucket.place();
    const real = bucket.store(place);
    const blobId = newBlobId();
    await real.put(blobId, chunks([randomBytes(3 * mib)]));
    const cut: Cut = { in: 'answer', afterBytes: 1_000_000, isAbrupt };
    const proxy = await startFaultProxy(bucket.gateway.url, ({ line }) => (line.startsWith('GET') ? cut : undefined));
    const store = bucket.store({ ...place, endpoint: proxy.url });
    onTestFinished(async () => {
      await store.close();
      await real.close();
    });
    await expect(store.open(blobId).then(buffer)).rejects.toThrow(/^The bucket sent [0-9]+ of the 3145728 bytes/);
  });

  it('fails the stream even if it was cut off before anybody read', async () => {
    const place = bucket.place();
    const real = bucket.store(place);
    const blobId = newBlobId();
    await real.put(blobId, chunks([randomBytes(3 * mib)]));
    const cut: Cut = { in: 'answer', afterBytes: 20_000 };
    const proxy = await startFaultProxy(bucket.gateway.url, ({ line }) => (line.startsWith('GET') ? cut : undefined));
    const store = bucket.store({ ...place, endpoint: proxy.url });
    onTestFinished(async () => {
      await store.close();
      await real.close();
    });
    const stream = await store.open(blobId);
    await expect.poll(() => stream.destroyed).toBe(true);
    await expect(buffer(stream)).rejects.toThrow(/^The bucket sent [0-9]+ of the 3145728 bytes/);
  });

  it('fails the stream when the bucket stalls, but not when its reader does', async () => {
    const { store, real, proxy } = await startFaulty({ timeouts: { ...impatient, stallMs: 400 } });
    const blobId = newBlobId();
    await real.put(blobId, chunks([randomBytes(3 * mib)]));
    const stream = await store.open(blobId);
    await sleep(2_000);
    expect(await buffer(stream)).toHaveLength(3 * mib);
    proxy.fault = () => ({ kind: 'stall', afterBytes: mib });
    await expect(store.open(blobId).then(buffer)).rejects.toThrow(/^The bucket sent [0-9]+ of the 3145728 bytes/);
  });

  it('leaves nothing in the bucket when it was on its way there', async () => {
    const place = bucket.place();
    const cut: Cut = { in: 'request', afterBytes: mib };
    const proxy = await startFaultProxy(bucket.gateway.url, ({ line }) => (line.startsWith('PUT') ? cut : undefined));
    const store = bucket.store({ ...place, endpoint: proxy.url });
    onTestFinished(() => store.close());
    const blobId = newBlobId();
    const put = store.put(blobId, chunks([randomBytes(2 * mib)]), { announcedBytes: 2 * mib, isExact: true });
    await expect(put).rejects.toBeInstanceOf(BlobStoreUnavailable);
    await expect(store.open(blobId)).rejects.toBeInstanceOf(BlobMissing);
    expect(await bucket.leftovers(place)).toEqual([]);
  });
});

describe('a clock that is wrong', () => {
  it('is corrected by the clock of the bucket', async () => {
    const { store } = await startFaulty();
    const { clock } = bucket.gateway.server;
    clock.advance(2 * 86_400_000);
    onTestFinished(() => clock.advance(-2 * 86_400_000));
    const blobId = newBlobId();
    await store.put(blobId, chunks(['a']));
    expect(String(await buffer(await store.open(blobId)))).toBe('a');
  });
});
