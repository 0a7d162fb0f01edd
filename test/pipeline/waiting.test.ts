import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';

import { describe, expect, it, onTestFinished, vi } from 'vitest';

import type { Bucket } from '#server/domain/ports/rate-limits.ts';
import { Refusal } from '#server/domain/refusal.ts';
import { RequestLimits, type Slot } from '#server/pipeline/request-limits.ts';
import { longestWaitMs } from '#server/pipeline/waiting-queue.ts';
import { admissionInSteps } from '#server/stores/memory/admission.ts';
import { MemoryRateLimits } from '#server/stores/memory/rate-limits.ts';
import { MemorySlots } from '#server/stores/memory/slots.ts';
import { openSqliteStores } from '#test/support/stores.ts';

const bucket: Bucket = { key: 's3:1', name: 's3', limit: 2, windowMs: 10_000, cost: 1, maxWaiting: 2 };
const slot: Slot = { key: 's3-writes:1', limit: 1, maxWaiting: 2, refusal: () => new Refusal('RATE_LIMITED') };

/** Opens limits whose timers, and the clock behind them, move only with `pass()`. */
async function open({ isOn = true, maxWaiting = 100 } = {}) {
  const stores = await openSqliteStores();
  const { clock } = stores;
  const [rates, slots] = [await MemoryRateLimits.restore(stores), new MemorySlots()];
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const seen: string[] = [];
  const observer = {
    slotChanged: () => {},
    waitBegun: (limit: string) => void seen.push(`${limit} waits`),
    waitEnded: (limit: string, end: string, ms: number) => void seen.push(`${limit} ${end} after ${Math.round(ms)}`),
    waitRefused: (limit: string) => void seen.push(`${limit} refused`),
  };
  const admission = admissionInSteps(rates, slots);
  const limits = new RequestLimits({ rates, slots, admission, clock }, isOn, observer, maxWaiting);
  const done: string[] = [];
  const enter = (name: string, needed: Parameters<RequestLimits['admit']>[1], client?: AbortSignal) => {
    const res = new ServerResponse(new IncomingMessage(new Socket()));
    const admitted = limits.admit(res, needed, client && (() => client));
    admitted.then(
      () => done.push(name),
      (error: { code?: string; message: string }) => done.push(`${name}: ${error.code ?? error.message}`),
    );
    return admitted;
  };
  const pass = async (ms: number) => {
    await vi.advanceTimersByTimeAsync(0);
    clock.advance(ms);
    await vi.advanceTimersByTimeAsync(ms);
    await vi.advanceTimersByTimeAsync(0);
  };
  return { limits, rates, clock, enter, pass, done, seen };
}

describe('a request over a rate that lets it wait', () => {
  it('goes on in its order when the next window begins, and not before', async () => {
    const { enter, pass, done, seen } = await open();
    for (const name of ['a', 'b', 'c', 'd', 'e']) void enter(name, { buckets: [bucket] }).catch(() => {});
    await pass(9_999);
    expect(done).toEqual(['a', 'b', 'e: RATE_LIMITED']);
    await pass(1);
    expect(done).toEqual(['a', 'b', 'e: RATE_LIMITED', 'c', 'd']);
    expect(seen).toEqual(['s3 waits', 's3 waits', 's3 refused', 's3 admitted after 10000', 's3 admitted after 10000']);
  });

  it('takes its slot only then', async () => {
    const { enter, pass, done } = await open();
    await Promise.all([1, 2].map(() => enter('first', { buckets: [bucket] })));
    void enter('waits', { buckets: [bucket], slot });
    await pass(5_000);
    (await enter('other', { slot })).leave();
    await pass(5_000);
    expect(done).toEqual(['first', 'first', 'other', 'waits']);
  });

  it('gives its place to another when its client leaves', async () => {
    const { enter, pass, done, seen } = await open();
    const client = new AbortController();
    for (const name of ['a', 'b', 'c']) void enter(name, { buckets: [bucket] });
    void enter('d', { buckets: [bucket] }, client.signal).catch(() => {});
    await pass(1_000);
    client.abort(new Error('gone'));
    await pass(0);
    void enter('e', { buckets: [bucket] });
    void enter('f', { buckets: [bucket] }).catch(() => {});
    await pass(9_000);
    expect(done).toEqual(['a', 'b', 'd: gone', 'f: RATE_LIMITED', 'c', 'e']);
    expect(seen).toContain('s3 left after 1000');
  });

  it('is refused when the server stops, which gives all places back', async () => {
    const { limits, rates, clock, enter, pass, done, seen } = await open();
    for (const name of ['a', 'b', 'c', 'd']) void enter(name, { buckets: [bucket] }).catch(() => {});
    await pass(1_000);
    limits.beginStop();
    await pass(0);
    expect(done.slice(2)).toEqual(['c: RATE_LIMITED', 'd: RATE_LIMITED']);
    expect(seen.slice(2)).toEqual(['s3 stopped after 1000', 's3 stopped after 1000']);
    for (let place = 0; place < 2; place++)
      expect(await rates.take([bucket], clock.now())).toMatchObject({ booked: { key: bucket.key } });
  });

  it('is refused with the time to wait when too many wait in this process, and keeps no place', async () => {
    const { enter, rates, clock, pass, done } = await open({ maxWaiting: 1 });
    for (const name of ['a', 'b', 'c']) void enter(name, { buckets: [bucket] });
    await pass(4_000);
    await expect(enter('d', { buckets: [bucket] })).rejects.toMatchObject({
      code: 'RATE_LIMITED',
      retryAfterSeconds: 6,
    });
    expect(await rates.take([bucket], clock.now())).toMatchObject({ booked: { key: bucket.key } });
    expect(done).toEqual(['a', 'b', 'd: RATE_LIMITED']);
  });

  it('does not wait while limits are off', async () => {
    const { enter, done } = await open({ isOn: false });
    for (let request = 0; request < 9; request++) await enter('in', { buckets: [bucket], slot });
    expect(done).toHaveLength(9);
  });
});

describe('a request without a free slot that may wait', () => {
  it('takes the slots in its order, and is refused after 15 s in all', async () => {
    const { enter, pass, done, seen } = await open();
    const first = await enter('a', { slot });
    for (const name of ['b', 'c', 'd']) void enter(name, { slot }).catch(() => {});
    await pass(1_000);
    expect(done).toEqual(['a', 'd: RATE_LIMITED']);
    first.leave();
    await pass(0);
    expect(done.at(-1)).toBe('b');
    await pass(longestWaitMs - 1_001);
    expect(done).toHaveLength(3);
    await pass(1);
    expect(done.at(-1)).toBe('c: RATE_LIMITED');
    expect(seen.slice(-2)).toEqual(['s3-writes admitted after 1000', 's3-writes refused after 15000']);
  });

  it('counts the wait for its place too', async () => {
    const { enter, pass, done } = await open();
    await enter('holds', { slot });
    await Promise.all([1, 2].map(() => enter('first', { buckets: [bucket] })));
    void enter('waits', { buckets: [bucket], slot }).catch(() => {});
    await pass(10_000);
    await pass(4_999);
    expect(done).not.toContain('waits: RATE_LIMITED');
    await pass(1);
    expect(done).toContain('waits: RATE_LIMITED');
  });

  it('leaves the line when its client leaves or the server stops', async () => {
    const { limits, enter, pass, done } = await open();
    const first = await enter('a', { slot });
    const client = new AbortController();
    void enter('b', { slot }, client.signal).catch(() => {});
    void enter('c', { slot }).catch(() => {});
    await pass(10);
    client.abort(new Error('gone'));
    await pass(0);
    first.leave();
    await pass(0);
    expect(done).toEqual(['a', 'b: gone', 'c']);
    void enter('d', { slot }).catch(() => {});
    await pass(0);
    limits.beginStop();
    await pass(0);
    expect(done.at(-1)).toBe('d: RATE_LIMITED');
  });
});
