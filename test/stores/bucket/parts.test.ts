import { createHash, randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';

import { describe, expect, it } from 'vitest';

import { BlobStoreUnavailable } from '#server/domain/ports/blobs.ts';
import { BufferBudget } from '#server/stores/bucket/buffer-budget.ts';
import { partBytes } from '#server/stores/bucket/multipart-upload.ts';
import { PartBuffer } from '#server/stores/bucket/part-buffer.ts';
import { RetryBudget } from '#server/stores/bucket/retry-budget.ts';

const mib = 1024 * 1024;

describe('partBytes()', () => {
  it('lets 10,000 parts be enough for a file of 250 GiB, in parts of at most 64 MiB', () => {
    const sizes = Array.from({ length: 10_000 }, (_, index) => partBytes(index + 1));
    expect(Math.min(...sizes)).toBeGreaterThanOrEqual(5 * mib);
    expect(Math.max(...sizes)).toBe(64 * mib);
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBeGreaterThan(250 * 1024 * mib);
  });
});

describe('PartBuffer', () => {
  it('keeps bytes and their MD5, takes memory as they come, and gives it back', async () => {
    const budget = new BufferBudget(mib, 100);
    const bytes = randomBytes(700_001);
    const part = new PartBuffer(budget);
    for (let at = 0; at < bytes.length; at += 10_007) await part.add(bytes.subarray(at, at + 10_007));
    expect(part.sizeBytes).toBe(bytes.length);
    expect(Buffer.concat([...(part.body as Iterable<Uint8Array>)]).equals(bytes)).toBe(true);
    expect(part.md5()).toBe(createHash('md5').update(bytes).digest('hex'));
    part[Symbol.dispose]();
    part[Symbol.dispose]();
    await budget.take(mib, {});
    for (let urgent = 0; urgent < 4; urgent++) await budget.take(1, {});
    await expect(budget.take(1, {})).rejects.toBeInstanceOf(BlobStoreUnavailable);
  });
});

describe('BufferBudget.take()', () => {
  /** Returns a budget of 10 with nothing left, and the buffers that may take more. */
  async function exhausted() {
    const budget = new BufferBudget(10, 1_000);
    await budget.take(10, {});
    const urgent = [{}, {}, {}, {}];
    for (const buffer of urgent) await budget.take(1, buffer);
    return { budget, urgent };
  }

  it('waits its turn, and passes over those that gave up', async () => {
    const { budget } = await exhausted();
    const order: string[] = [];
    const abort = new AbortController();
    const left = budget.take(9, {}, abort.signal).catch((error: Error) => order.push(error.message));
    const second = budget.take(5, {}).then(() => order.push('second'));
    const third = budget.take(1, {}).then(() => order.push('third'));
    await sleep(1);
    expect(order).toEqual([]);
    abort.abort(new Error('gone'));
    await left;
    expect(order).toEqual(['gone']);
    budget.give(10, {});
    await Promise.all([second, third]);
    expect(order).toEqual(['gone', 'second', 'third']);
  });

  it('lets a few buffers have more than is left, so that parts that wait for each other are filled', async () => {
    const { budget, urgent } = await exhausted();
    for (const buffer of urgent) await budget.take(100, buffer);
    let isGranted = false;
    const other = {};
    const waiting = budget.take(1, other).then(() => (isGranted = true));
    await sleep(1);
    expect(isGranted).toBe(false);
    for (const buffer of urgent) budget.give(101, buffer);
    budget.give(10, {});
    await waiting;
    expect(isGranted).toBe(true);
  });
});

describe('RetryBudget', () => {
  it('allows one retry in ten requests, after ten at the start', () => {
    const budget = new RetryBudget();
    let retries = 0;
    for (let request = 0; request < 1_000; request++) {
      budget.earn();
      if (budget.spend()) retries++;
    }
    expect(retries).toBeGreaterThanOrEqual(100);
    expect(retries).toBeLessThanOrEqual(111);
  });
});
